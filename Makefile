# make run         install what is missing, build, serve on 127.0.0.1:8080
# make test        install what is missing, build, run the tests (3 minutes);
#                  some of them: make test T='tests/unit -k chips'
# make demo        play a whole game by curl against the running service
#
# make             build the programs, in $(BUILD)/bin
# make check       the unit tests and the simulation, without a database (20 s)
# make check-exhaustive   every hand of 7 and 8 cards (minutes)
# make stories     the stories over HTTP, with the contract test
# make torture     many at once, cuts and crashes, for long (4 minutes)
# make test-frontends   pages in a browser, generated clients, proxies (2 minutes)
# make table       people play whole games in browsers; pictures in $(BUILD)/pictures
# make selftest    the tests of the tests' own tools and of deploy/local
# make lint        warnings, format, layers, purity, analysis, OpenAPI
# make format      format the sources as make lint expects
# make settings    update the table of deploy/settings.md
# make bench       measure the speed, compared with pgbench (18 minutes)
# make bench-against COMMIT=...   compared with an older commit (6 minutes)
# make bench-peer  measure the speed, compared with JavaScript services (8 minutes)
# make bench-capacity  how many players this machine serves (7 minutes)
# make soak        let a thousand people play; fail if memory grows (SOAK_SECONDS=3600)
# make soak HOURS=24   a day at ten times its pace, with its faults (144 minutes)
# make coverage    the lines of the rules that the unit tests reach
# make fuzz        fuzz each decoder for 10 minutes
# make install     into DESTDIR and PREFIX (/usr/local)
# make deb         build the Debian packages and their SBOMs, into $(BUILD)/deb
# make test-debian13   make run and make test on a bare Debian 13 (8 minutes, as root)
# make test-deb    install, upgrade and remove them in a bare Debian (minutes)
# make test-citus  play on a Citus cluster; CITUS=FOLDER of its programs (8 minutes)
# make test-one-server   make servers of bare Debians, behind each proxy (minutes)
# make test-containers   build the images, and run the compose file (minutes)
# make run-ha      serve from three hosts on loopback, with Patroni and HAProxy
# make test-ha     make them fail while clients play (25 minutes to an hour, as root);
#                  STALLS=3600: instead, for that many seconds, only a disk stalls now
#                  and then; BUSY=2: with busy loops next to it
# make test-ha-install     install them on bare Debians, and lose hosts (minutes, as root)
# make clean       remove everything built (not var/, which holds the games)
# make help        this list
#
# CC=clang and SAN=address,undefined build in a separate folder.

CC      := $(if $(filter default,$(origin CC)),gcc,$(CC))
SAN     ?=
COV     ?=
PREFIX  ?= /usr/local
comma   := ,
BUILD   ?= build$(if $(findstring clang,$(CC)),-clang)$(if $(SAN),-$(subst $(comma),-,$(SAN)))$(if $(COV),-coverage)
MAKEFLAGS += --no-builtin-rules $(if $(V),,--silent)
# V=1 shows the commands.
.DEFAULT_GOAL := all

# --- the compiler's flags -------------------------------------------

PACKAGES := libmicrohttpd json-c libpq libsodium libcurl libcrypto icu-i18n
WARN := -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wvla \
	-Wcast-qual -Wwrite-strings -Wundef -Wformat=2 -Wnull-dereference \
	-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
	-Wno-missing-field-initializers
ifeq ($(findstring clang,$(CC)),)
WARN += -Wduplicated-cond -Wduplicated-branches -Wlogical-op
else
# Those of clang 19 are against counts and indexes in enums.
WARN += -Wno-enum-enum-conversion -Wno-enum-float-conversion \
	-Wno-enum-compare-conditional
endif
ifeq ($(SAN),)
HARDEN := -D_FORTIFY_SOURCE=2 -fstack-protector-strong
LDHARDEN := -pie -Wl,-z,relro,-z,now
else
SANITIZE := -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
ifneq ($(COV),)
# A function that is inlined everywhere would count as never called.
SANITIZE += --coverage -fprofile-abs-path -fno-inline
endif
OPT     ?= $(if $(COV),-O1,-O2 -g)
# MAPPED is a folder whose name the programs shall not hold.
MAPPED  ?=
# COMMIT is the one that bench-against compares with: by default the last before
# loads and moves were made cheaper and gathered.
COMMIT  ?= eee3392
INCLUDE := -Iinternal -I$(BUILD)/gen \
	$(patsubst -I%,-isystem %,$(shell pkg-config --cflags-only-I $(PACKAGES) 2>/dev/null)) \
	-isystem $(shell pg_config --includedir 2>/dev/null)
CFLAGS  := -std=c11 -D_POSIX_C_SOURCE=200809L $(OPT) -fPIE $(WARN) $(HARDEN) $(SANITIZE) \
	$(if $(MAPPED),-ffile-prefix-map=$(MAPPED)=.)
LDFLAGS := $(LDHARDEN) $(SANITIZE)
LDLIBS  := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lunistring -lpthread
COMPILE  = $(CC) $(CFLAGS) $(OPT_LATE) $(INCLUDE) $(DEFINE) -MMD -MP

# --- layers: each folder of internal/ with sources is a library --------------

FOLDERS := internal/* internal/games/* internal/games/*/*
LAYERS  := $(patsubst internal/%/,%,$(sort $(dir $(wildcard $(FOLDERS:%=%/*.c)))))
LIBS    := $(LAYERS:%=$(BUILD)/%.a)
# The service calls the games by its table of them, and the games call the service.
together = -Wl,--start-group $(1) -Wl,--end-group
objects = $(patsubst %.c,$(BUILD)/%.o,$(wildcard internal/$(1)/*.c)) $(GEN_$(1):%=$(BUILD)/gen/%.o)

define layer
$(BUILD)/$(1).a: $$(call objects,$(1))
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(AR) rcs $$@ $$^
endef

# Generated: files embedded in the programs, see deploy/build/embed.sh.
DOCS      := $(BUILD)/gen/index.html $(addprefix api/docs/,index.policy page.css init.js)
VIEWER    := $(wildcard api/docs/node_modules/swagger-ui-dist/swagger-ui.css \
	api/docs/node_modules/swagger-ui-dist/swagger-ui-bundle.js)
GEN_postgres := embed_migrations embed_functions embed_queries
GEN_service := embed_api embed_table

$(foreach name,$(LAYERS),$(eval $(call layer,$(name))))

# Depend on the folders too, so that removing a file rebuilds.
embed = deploy/build/embed.sh $* $(filter-out sql/migrations sql/functions sql/queries,$(sort $^)) >$@
$(BUILD)/gen/embed_migrations.S: sql/migrations $(wildcard sql/migrations/*.sql)
$(BUILD)/gen/embed_functions.S: sql/functions $(wildcard sql/functions/*.sql)
$(BUILD)/gen/embed_queries.S: sql/queries $(wildcard sql/queries/*.sql)
# Static files: the pages have their parts in them, and each file has a compressed
# copy next to it.
ASSETS := $(BUILD)/gen/openapi.yaml $(BUILD)/gen/openapi.json $(DOCS) $(VIEWER)
$(BUILD)/gen/embed_api.S: $(ASSETS) deploy/build/assets.py $(wildcard api/docs/node_modules/.package-lock.json)
	deploy/build/assets.py $(BUILD)/gen/assets $(ASSETS)
	deploy/build/embed.sh embed_api $(BUILD)/gen/assets/* >$@
# The table: the page at /, on the modules of the client.
TABLE := $(addprefix api/table/,table.html table.policy main.js theme.css pages.css \
	play.css showdown.css famiglia.css worker.js icon.svg table.webmanifest)
TABLE_SOURCES := $(TABLE) $(wildcard api/client/*.js api/table/*.js)
$(BUILD)/gen/embed_table.S: $(TABLE_SOURCES) deploy/build/assets.py
	@mkdir -p $(@D)
	deploy/build/assets.py $(BUILD)/gen/table $(TABLE)
	deploy/build/embed.sh embed_table $(BUILD)/gen/table/* >$@
$(BUILD)/gen/%.S:
	@mkdir -p $(@D)
	$(embed)
# The OpenAPI document with its examples, as the daemon serves it.
$(BUILD)/gen/openapi.yaml $(BUILD)/gen/openapi.json &: api/openapi.yaml deploy/build/bundle.py $(wildcard api/examples/*)
	@mkdir -p $(@D)
	deploy/build/bundle.py $< $(BUILD)/gen/openapi.yaml $(BUILD)/gen/openapi.json

# The page at /docs, with its drawings and examples in it.
$(BUILD)/gen/index.html: deploy/build/page.py api/docs/index.html $(BUILD)/gen/openapi.json api/docs/examples.md $(wildcard api/docs/*.svg)
	$(wordlist 1,4,$^) $@

# The texts for players: those of the service, and those of each game.
TEXTS := $(BUILD)/gen/service/texts.def
PO    := $(wildcard internal/service/texts/*.po internal/games/*/texts/*.po)
# The tables of codes; every code needs the texts that its table names.
CODES := $(shell grep -l '^ \* Texts: ' $(wildcard $(FOLDERS:%=%/*.def)))
$(foreach file,internal/service/texts tests/unit/test_texts,\
	$(BUILD)/$(file).o $(patsubst %,$(BUILD)/lint/$(file).c.%,tidy analyze)): $(TEXTS)
# A game may come with files that are older than what was built without them.
$(TEXTS): deploy/build/texts.py internal/games/rulesets.def $(sort $(dir $(PO))) $(PO) $(CODES)
	@mkdir -p $(@D)
	$< $@ $(PO) $(CODES)

# --version prints the version of the OpenAPI document.
VERSIONED := $(BUILD)/internal/base/setting.o \
	$(patsubst %,$(BUILD)/lint/internal/base/setting.c.%,tidy analyze)
DEFINE    :=
$(VERSIONED): api/openapi.yaml
$(VERSIONED): DEFINE = -DGANGD_VERSION='"$(shell sed -n 's/^  version: //p' api/openapi.yaml)"'

# --- objects, programs ------------------------------------------------------

PROGRAMS := $(BUILD)/bin/gangd $(BUILD)/bin/gangctl $(BUILD)/bin/gangd-push
all: $(PROGRAMS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	echo '  CC $<'
	$(COMPILE) -c -o $@ $<
$(BUILD)/gen/%.o: $(BUILD)/gen/%.S
	@mkdir -p $(@D)
	$(CC) -c -o $@ $<

objects_of = $(patsubst %.c,$(BUILD)/%.o,$(wildcard cmd/$(1)/*.c))
$(BUILD)/bin/gangd: $(call objects_of,gangd) $(LIBS)
$(BUILD)/bin/gangctl: $(call objects_of,gangctl) $(LIBS)
$(BUILD)/bin/gangd-push: $(call objects_of,gangd-push) $(LIBS)
$(PROGRAMS):
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $(call together,$^) $(LDLIBS)

# --- tests ------------------------------------------------------------------

# Every tests/KIND/test_X.c is a program.  The other files of these kinds are a
# library of the kind, which any test program may use.
UNIT := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_*.c))
SIM  := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/sim/test_*.c))

# They run for seconds: compiling them well would take longer than they gain.
$(BUILD)/tests/%.o: OPT_LATE := -O1
$(BUILD)/tests/bench/%.o: OPT_LATE :=

KINDS     := secrecy store sim unit
TEST_LIBS := $(KINDS:%=$(BUILD)/tests/%.a)
shared_objects = $(patsubst %.c,$(BUILD)/%.o,$(filter-out tests/$(1)/test_%.c tests/$(1)/%_exhaustive.c, \
	$(wildcard tests/$(1)/*.c)))
define kind
$(BUILD)/tests/$(1).a: $$(call shared_objects,$(1))
	@rm -f $$@
	$$(AR) rcs $$@ $$^
endef
$(foreach name,$(KINDS),$(eval $(call kind,$(name))))

# tests/unit/select_tests.c lets pytest choose among the tests of a program.
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(TEST_LIBS) $(LIBS)
	$(CC) $(LDFLAGS) -Wl,--wrap=_cmocka_run_group_tests -o $@ $(filter %.o,$^) $(call together,$(TEST_LIBS) $(LIBS)) -lcmocka -lcurl $(LDLIBS)

# These have a clock of their own, those of http_bench.h that of tests/unit/http_bench.c.
HTTP_BENCH := $(patsubst %.c,$(BUILD)/%,$(shell grep -l '"http_bench.h"' tests/unit/test_*.c))
CLOCKED := $(HTTP_BENCH) $(BUILD)/tests/unit/test_recent_games $(BUILD)/tests/unit/test_commit_reports
$(CLOCKED): LDFLAGS += -Wl,--wrap=clock_monotonic_ns

# Debian's pytest runs the tests; it installs what the tests need, and builds.
PYTEST = deploy/local/install.sh test && /usr/bin/python3 -m pytest \
	--build='$(BUILD)' --make=CC='$(CC)' $(if $(SAN),--make=SAN='$(SAN)') \
	$(if $(COV),--make=COV='$(COV)')

.PHONY: all unit sim check check-exhaustive settings coverage help clean
.SECONDARY:
unit:
	@$(PYTEST) tests/unit
sim:
	@$(PYTEST) tests/sim
check:
	@$(PYTEST) tests/sim tests/unit

help:
	@sed -n '/^$$/q;s/^# \{0,1\}//p' Makefile

# Replace the table between the two comments.
settings: $(BUILD)/bin/gangd
	awk -v table="$$($<  --settings)" '/^<!-- end of settings/ { skip = 0 } \
		!skip { print } /^<!-- settings:/ { print "\n" table "\n"; skip = 1 }' \
		deploy/settings.md >$(BUILD)/settings.md && cp $(BUILD)/settings.md deploy/settings.md

# Print the share of lines that the unit tests reach, for each layer; fail if a
# line of the rules is not reached.
RULES := table poker $(filter games/%/rules,$(LAYERS))
BOTS  := bot $(filter games/%/bot,$(LAYERS))
coverage:
	find $(BUILD)-coverage -name '*.gcda' -delete 2>/dev/null || true
	mkdir -p $(BUILD)-coverage
	$(MAKE) COV=1 BUILD=$(BUILD)-coverage unit >$(BUILD)-coverage/unit.log 2>&1 || \
		{ tail -n 40 $(BUILD)-coverage/unit.log; exit 1; }
	status=0; for layer in $(LAYERS); do \
		gcov -n -o $(BUILD)-coverage/internal/$$layer internal/$$layer/*.c 2>/dev/null | \
		awk -v layer=$$layer -v rules=' $(RULES) ' ' \
			/^File/ { ours = index($$0, "internal/" layer "/") && /\.c.$$/ } \
			ours && /^Lines/ { all += $$NF; split($$2, part, /[:%]/); \
				reached += int(part[2] * $$NF / 100 + 0.5); ours = 0 } \
			END { if (all) printf "%6.2f %% of %5d lines: %s\n", 100 * reached / all, all, layer; \
				exit index(rules, " " layer " ") && reached < all }' || status=1; \
	done; exit $$status

check-exhaustive: $(BUILD)/tests/unit/hand_exhaustive
	$<

clean:
	rm -rf build build-*

# --- lint -------------------------------------------------------------------

SOURCES := $(wildcard $(FOLDERS:%=%/*.c) cmd/*/*.c)
HEADERS := $(wildcard $(FOLDERS:%=%/*.h) cmd/*/*.h)
INCLUDED := $(HEADERS) $(wildcard $(FOLDERS:%=%/*.def) cmd/*/*.def tests/*/*.h tests/*/*.def)
TESTS   := $(wildcard tests/*/*.c)
TIDY    := $(patsubst %,$(BUILD)/lint/%.tidy,$(SOURCES) $(TESTS))
ANALYZE := $(patsubst %,$(BUILD)/lint/%.analyze,$(SOURCES))
ALONE   := $(patsubst %,$(BUILD)/lint/%.alone,$(HEADERS))

.PHONY: lint settings-check lint-c lint-api format format-check layers pure bounds texts analyze tidy \
	cppcheck headers shellcheck units
lint:
	@deploy/local/install.sh build test clang lint npm
	@$(MAKE) -j"$$(nproc)" lint-c lint-api
	@echo 'lint: nothing found'

# The build checks warnings under gcc, a second build under clang; both -Werror.
lint-c: all test-programs format-check settings-check layers pure bounds headers texts cppcheck shellcheck units
	@$(MAKE) CC=clang all test-programs
	@$(MAKE) tidy analyze

lint-api:
	deploy/lint/lint-api.sh

format:
	clang-format -i $(SOURCES) $(HEADERS) $(TESTS) $(wildcard tests/*/*.h)

format-check:
	clang-format --dry-run --Werror $(SOURCES) $(HEADERS) $(TESTS) $(wildcard tests/*/*.h)

# The table of settings must be what the program prints.
settings-check: $(BUILD)/bin/gangd
	$< --settings | diff - deploy/settings.md | grep '^<' && \
		{ echo 'the settings differ: make settings'; exit 1; } || true

layers:
	awk -f deploy/lint/layers.awk internal/layers $(SOURCES) $(HEADERS)

pure: $(LIBS)
	deploy/lint/pure.sh $(BUILD) $(BOTS) $(RULES)

# snprintf() returns the length it needed, not the length it wrote: added to an
# offset it leads out of the buffer.  Only the arena uses the result, to allocate
# that much; all other code must discard it.
bounds:
	! grep -nE '\bv?sn?printf\(' $(SOURCES) $(HEADERS) | \
		grep -vE '\(void\)v?snprintf\(|^internal/base/arena[.][ch]:'

# Translators' tools must be able to read the files too.
texts:
	for file in $(PO); do \
		msgfmt --check-format --check-domain -o /dev/null $$file || exit 1; done

headers: $(ALONE)
$(BUILD)/lint/%.h.alone: %.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(INCLUDE) -fsyntax-only -include $< -x c /dev/null
	@touch $@

# The analyzer checks paths that never ran; tests do run, under sanitizers too.
$(BUILD)/lint/tests/%.c.tidy: CHECKS := --checks=-clang-analyzer-*
tidy: $(TIDY)
TIDY_ONE = clang-tidy --quiet $(CHECKS) $< -- -std=c11 -D_POSIX_C_SOURCE=200809L $(INCLUDE) $(DEFINE)
$(BUILD)/lint/%.c.tidy: %.c .clang-tidy $(INCLUDED)
	@mkdir -p $(@D)
	echo '  TIDY $<'
	$(TIDY_ONE) 2>/dev/null || { $(TIDY_ONE); exit 1; }
	@touch $@

analyze: $(ANALYZE)
$(BUILD)/lint/%.c.analyze: %.c $(INCLUDED)
	@mkdir -p $(@D)
	echo '  ANALYZE $<'
	gcc -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -fanalyzer -Werror $(INCLUDE) $(DEFINE) -c -o /dev/null $<
	@touch $@

# metric.def is not a file by itself: its tables are there for the one that includes it.
cppcheck:
	cppcheck --quiet --error-exitcode=1 --std=c11 --inline-suppr -j2 \
		--enable=warning,portability,performance \
		--suppress=missingIncludeSystem -ULABEL -UBOUNDS -UCOUNTER -Iinternal internal cmd

shellcheck:
	shellcheck -x $(wildcard deploy/*/*.sh tests/*/*.sh tests/harness/bin/* internal/*/*.sh .ci/run)

# How much a unit could do to the machine, from 0 to 10: 1.5 at most.
units:
	for unit in $(wildcard deploy/*/*.service); do \
		systemd-analyze security --offline=true --no-pager --threshold=15 $$unit \
			>$(BUILD)/units.log || { cat $(BUILD)/units.log; exit 1; }; done
# --- end of lint ------------------------------------------------------------

-include $(shell find $(BUILD) -name tree -prune -o -name '*.d' -print 2>/dev/null)

# --- fuzzing ------------------------------------------------------------------

# Fuzzing needs clang's libFuzzer, so it has its own build folder.  In any other
# build a fuzz target only replays files.
FUZZ_BUILD   ?= build-fuzz
FUZZ_SECONDS ?= 600
FUZZ := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))

ifneq ($(findstring fuzzer,$(SAN)),)
# Do not count coverage of the fuzz targets themselves.
$(FUZZ:%=%.o) $(BUILD)/tests/fuzz/fuzz.o $(TEST_LIBS): CFLAGS := $(filter-out -fsanitize=%,$(CFLAGS)) -fsanitize=address,undefined
$(FUZZ): LDFLAGS += -fsanitize=fuzzer
else
$(FUZZ): $(BUILD)/tests/fuzz/replay.o
endif
$(FUZZ): $(BUILD)/%: $(BUILD)/%.o $(BUILD)/tests/fuzz/fuzz.o $(TEST_LIBS) $(LIBS)
	$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(call together,$(TEST_LIBS) $(LIBS)) -lcmocka $(LDLIBS)

.PHONY: fuzz fuzz-programs fuzz-targets
fuzz: fuzz-programs
	@tests/fuzz/run.sh $(FUZZ_BUILD) $(FUZZ_SECONDS)
fuzz-programs:
	@deploy/local/install.sh build test clang
	@$(MAKE) CC=clang SAN=fuzzer-no-link,address,undefined \
		BUILD=$(FUZZ_BUILD) fuzz-targets
fuzz-targets: $(FUZZ)
# --- end of fuzzing -----------------------------------------------------------

# --- benchmarks -----------------------------------------------------------

BENCH := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/bench/*.c))
# Random gaps between requests take a logarithm.
$(BENCH): LDLIBS += -lm

.PHONY: bench bench-against bench-peer bench-capacity soak
bench:
	@deploy/local/install.sh build cluster bench
	@$(MAKE) all $(BENCH)
	@mkdir -p '$(BUILD)/bench'
	@deploy/local/with-cluster.sh --durable tests/bench/bench.py '$(BUILD)'
bench-against:
	@deploy/local/install.sh build cluster bench
	@$(MAKE) all $(BENCH)
	@mkdir -p '$(BUILD)/bench'
	@AGAINST=$$(tests/bench/older.sh '$(COMMIT)') && export AGAINST && \
		deploy/local/with-cluster.sh --durable tests/bench/bench.py '$(BUILD)' against
bench-peer:
	@deploy/local/install.sh build cluster bench npm
	@$(MAKE) all
	@tests/bench/peer.sh '$(BUILD)'
bench-capacity:
	@deploy/local/install.sh build cluster bench
	@$(MAKE) all $(BENCH)
	@deploy/local/with-cluster.sh --durable tests/bench/capacity.py '$(BUILD)'
soak:
	@deploy/local/install.sh build cluster bench $(if $(HOURS),soak)
	@$(MAKE) all
	@deploy/local/with-cluster.sh --durable tests/bench/soak.py '$(BUILD)'
# --- end of benchmarks ----------------------------------------------------

# --- running, testing, installing: the scripts of deploy/local ---------------

LOCAL   := BUILD='$(BUILD)' $(MAKEOVERRIDES)
STORE   := $(patsubst %.c,$(BUILD)/%,$(wildcard $(patsubst %,tests/%/test_*.c,store secrecy torture)))
# The program that puts certain cards into the games of stories.
ARRANGE := $(BUILD)/tests/http/arrange
$(ARRANGE): $(BUILD)/tests/http/arrange_famiglia.o

GENERIC := $(BUILD)/tests/sdk/generic_client
$(GENERIC): $(BUILD)/tests/sdk/choose.o

# The daemon with system calls that a test can make fail.
FAILING := $(BUILD)/tests/torture/gangd_failing
$(FAILING): $(BUILD)/cmd/gangd/main.o $(BUILD)/tests/torture/failing.o $(LIBS)
	$(CC) $(LDFLAGS) -Wl,--wrap=getrandom,--wrap=json_tokener_parse_ex -o $@ $(call together,$^) $(LDLIBS)

# The programs of a later release, as the database and browsers see them: one more
# migration, every function replaced, and other pages.
NEXT_SQL := $(BUILD)/gen/next
NEXT_FUNCTIONS := $(patsubst sql/functions/%,$(NEXT_SQL)/functions/%,$(wildcard sql/functions/*.sql))
NEXT     := $(BUILD)/tests/torture/next/gangd $(BUILD)/tests/torture/next/gangctl
$(NEXT_SQL)/9999_next.sql: tests/torture/next/9999_next.sql sql/migrations $(wildcard sql/migrations/*.sql)
	@mkdir -p $(@D)
	sed "s/NEWEST/$$(ls sql/migrations | sed -n '$$s/_.*//p')/" $< >$@
$(NEXT_SQL)/functions/%.sql: sql/functions/%.sql
	@mkdir -p $(@D)
	{ cat $<; echo '-- As it is in the next release.'; } >$@
$(NEXT_SQL)/embed_migrations.S: $(wildcard sql/migrations/*.sql) $(NEXT_SQL)/9999_next.sql
	deploy/build/embed.sh embed_migrations $^ >$@
$(NEXT_SQL)/embed_functions.S: sql/functions $(NEXT_FUNCTIONS)
	deploy/build/embed.sh embed_functions $(sort $(NEXT_FUNCTIONS)) >$@
NEXT_API := $(BUILD)/gen/next_api
NEXT_DOCS := $(NEXT_API)/docs/init.js
NEXT_TABLE := $(NEXT_API)/table/main.js
$(NEXT_DOCS): $(DOCS)
	@mkdir -p $(@D)
	cp $(DOCS) $(@D)/
	echo 'document.documentElement.dataset.release = "next";' >>$@
$(NEXT_TABLE): $(TABLE_SOURCES)
	@mkdir -p $(@D)
	cp -r api/client api/table $(NEXT_API)/
	echo 'document.documentElement.dataset.release = "next";' >>$@
	echo '// As it is in the next release.' >>$(@D)/worker.js
$(NEXT_API)/embed_api.S: $(NEXT_DOCS) $(ASSETS) deploy/build/assets.py
	deploy/build/assets.py $(NEXT_API)/files $(filter-out $(DOCS),$(ASSETS)) \
		$(addprefix $(NEXT_API)/docs/,$(notdir $(DOCS)))
	deploy/build/embed.sh embed_api $(NEXT_API)/files/* >$@
$(NEXT_API)/embed_table.S: $(NEXT_TABLE) deploy/build/assets.py
	deploy/build/assets.py $(NEXT_API)/table_files $(TABLE:api/%=$(NEXT_API)/%)
	deploy/build/embed.sh embed_table $(NEXT_API)/table_files/* >$@
# The objects come before the library, which has the tables of this release.
NEXT_OBJECTS := $(NEXT_SQL)/embed_migrations.o $(NEXT_SQL)/embed_functions.o \
	$(NEXT_API)/embed_api.o $(NEXT_API)/embed_table.o $(LIBS)
$(BUILD)/tests/torture/next/gangd: $(call objects_of,gangd) $(NEXT_OBJECTS)
$(BUILD)/tests/torture/next/gangctl: $(call objects_of,gangctl) $(NEXT_OBJECTS)
$(NEXT):
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $(call together,$^) $(LDLIBS)

# Copies of the sources with a third game, and with cards that are new: what the
# change concerns is compiled, with copies of all other objects.
CHANGED := $(BUILD)/tests/games
GANG_SUITES := $(addprefix unit/test_,challenge card_pairs cards codec gang stack view) \
	sim/test_gang_sim
changed = tests/games/overlay.py '$(BUILD)' $(1) && \
	$(MAKE) -C $(CHANGED)/$(1)/tree BUILD='$(notdir $(BUILD))' all layers pure $(2)
.PHONY: $(CHANGED)/nim/built $(CHANGED)/eleventh/built
$(CHANGED)/nim/built: $(PROGRAMS)
	+$(call changed,nim)
$(CHANGED)/eleventh/built: $(PROGRAMS) $(GANG_SUITES:%=$(BUILD)/tests/%)
	+$(call changed,eleventh,$(GANG_SUITES:%='$(notdir $(BUILD))/tests/%'))

# As much as .ci/run does; make test does each with fewer rounds.
LONG := EVERY=12 ACTIONS=6000 KILLS=8 MOVES=2400 HAMMER_SECONDS=8 TIMES=25 \
	GANG_TIMES=5 PLANTED=all GENERIC_GAMES=6 BOT_GAMES=8 MODES=all SLOWNESS=3 \
	PUSH_RATE=500 PUSH_KILLS=20 PUSH_NOTIFICATIONS=10000 CUTS=12 GENERATORS=all

.PHONY: run test test-frontends table stories torture selftest long-test demo test-programs install deb test-debian13 test-citus test-deb test-one-server test-containers run-ha test-ha test-ha-install
run:
	@deploy/local/run.sh $(LOCAL)
FRONTENDS := $(addprefix tests/,sdk browser proxies java push)
# T: what pytest shall run, with its options; without it the tests of the service.
T ?=
test:
	@$(PYTEST) $(T)
test-frontends:
	@$(PYTEST) $(FRONTENDS)
table:
	@export $(LONG) PICTURES='$(abspath $(BUILD))/pictures'; $(PYTEST) \
		tests/browser/test_play.py tests/browser/test_table_speed.py
stories:
	@$(PYTEST) tests/http tests/contract
torture:
	@export $(LONG); $(PYTEST) tests/torture
long-test:
	@export $(LONG); $(PYTEST) tests tests/selftest --also singly,valgrind
selftest:
	@$(PYTEST) tests/selftest
demo:
	@deploy/local/install.sh run
	@deploy/local/demo.sh
test-programs: $(UNIT) $(SIM) $(STORE) $(ARRANGE) $(GENERIC) $(FAILING) $(NEXT) $(BENCH)

install: all
	install -D -t $(DESTDIR)$(PREFIX)/bin $(PROGRAMS)
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system $(DESTDIR)/etc/gangd
	for unit in gangd.service gangd-push.service gangd-purge.service gangd-purge.timer; do \
		sed 's|/usr/local|$(PREFIX)|' deploy/systemd/$$unit \
			>$(DESTDIR)$(PREFIX)/lib/systemd/system/$$unit || exit 1; done
	install -D deploy/systemd/publish.sh $(DESTDIR)$(PREFIX)/lib/gangd/publish
	install -D -m 0644 deploy/systemd/push-role.sql $(DESTDIR)$(PREFIX)/lib/gangd/push-role.sql
	for file in gangd.env gangctl.env push.env; do \
		test -e $(DESTDIR)/etc/gangd/$$file || install -m 0600 \
			deploy/systemd/$$file $(DESTDIR)/etc/gangd/$$file || exit 1; done
deb:
	@deploy/deb/build.sh $(BUILD)/deb
test-debian13:
	@deploy/local/test-debian13.sh
test-citus:
	@deploy/local/install.sh build test cluster
	@tests/citus/test.sh $(T)
test-deb:
	@deploy/deb/test.sh
test-one-server:
	@deploy/one-server/test.sh
test-containers:
	@deploy/containers/test.sh
run-ha:
	@deploy/ha/run.sh $(LOCAL)
test-ha:
	@deploy/ha/test.sh $(LOCAL)
test-ha-install:
	@deploy/ha/test-install.sh
# --- end of running, testing, installing --------------------------------------
