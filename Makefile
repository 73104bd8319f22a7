# make run         install what is missing, build, serve on 127.0.0.1:8080
# make test        install what is missing, build, run every test
# make demo        play a whole game by curl against the running service
#
# make             the programs, in $(BUILD)/bin
# make check       the unit tests and the simulation, without a database
# make check-exhaustive   every hand of 7 and 8 cards (minutes)
# make stories     the stories over HTTP, with the contract test
# make lint        warnings, format, layers, purity, analysis, OpenAPI
# make format      lay out the sources as the lint wants them
# make readme      write the README's table of settings anew
# make coverage    which lines of the rules the tests reach
# make install     into DESTDIR and PREFIX (/usr/local)
# make clean       remove what was built (not var/, where the games are)
# make help        this list
#
# CC=clang and SAN=address,undefined build in a folder of their own.

CC      := $(if $(filter default,$(origin CC)),gcc,$(CC))
SAN     ?=
COV     ?=
PREFIX  ?= /usr/local
comma   := ,
BUILD   ?= build$(if $(findstring clang,$(CC)),-clang)$(if $(SAN),-$(subst $(comma),-,$(SAN)))$(if $(COV),-coverage)
MAKEFLAGS += --no-builtin-rules $(if $(V),,--silent)
# V=1 shows the commands.
.DEFAULT_GOAL := all

# --- how the compiler is called -------------------------------------------

PACKAGES := libmicrohttpd json-c libpq libsodium
WARN := -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wvla \
	-Wcast-qual -Wwrite-strings -Wundef -Wformat=2 -Wnull-dereference \
	-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
	-Wno-missing-field-initializers
ifeq ($(findstring clang,$(CC)),)
WARN += -Wduplicated-cond -Wduplicated-branches -Wlogical-op
# Debian's gcc 12.2.0 was seen to delete calls inside loops over arrays.
TUNE := -fno-ivopts
endif
ifeq ($(SAN),)
HARDEN := -D_FORTIFY_SOURCE=2 -fstack-protector-strong
LDHARDEN := -pie -Wl,-z,relro,-z,now
else
SANITIZE := -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
ifneq ($(COV),)
SANITIZE += --coverage -fprofile-abs-path
endif
OPT     ?= -O2 -g
INCLUDE := -Iinternal -I$(BUILD)/gen \
	$(patsubst -I%,-isystem %,$(shell pkg-config --cflags-only-I $(PACKAGES) 2>/dev/null)) \
	-isystem $(shell pg_config --includedir 2>/dev/null)
CFLAGS  := -std=c11 -D_POSIX_C_SOURCE=200809L $(OPT) $(TUNE) -fPIE $(WARN) $(HARDEN) $(SANITIZE)
LDFLAGS := $(LDHARDEN) $(SANITIZE)
LDLIBS  := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lunistring -lpthread
COMPILE  = $(CC) $(CFLAGS) $(INCLUDE) -MMD -MP

# --- layers: each folder of internal/ is a library --------------------------

LAYERS := $(notdir $(patsubst %/,%,$(wildcard internal/*/)))
# From the top of the building to its ground, for the linker.
ORDER  := loop service http store auth famiglia gang poker table base
LIBS   := $(foreach l,$(filter $(LAYERS),$(ORDER)),$(BUILD)/$(l).a)
objects = $(patsubst %,$(BUILD)/%.o,$(basename $(wildcard internal/$(1)/*.c)) $(GEN_$(1)))

define layer
$(BUILD)/$(1).a: $$(call objects,$(1))
	@rm -f $$@
	$$(AR) rcs $$@ $$^
endef

# What is generated: files put into the programs, see internal/base/embed.sh.
DOCS      := $(wildcard api/docs/*.html api/docs/*.js api/docs/*.css)
VIEWER    := $(wildcard api/docs/node_modules/swagger-ui-dist/swagger-ui.css \
	api/docs/node_modules/swagger-ui-dist/swagger-ui-bundle.js)
GEN_store   := $(BUILD)/gen/embed_migrations $(BUILD)/gen/embed_functions $(BUILD)/gen/embed_queries
GEN_service := $(BUILD)/gen/embed_api

$(foreach name,$(LAYERS),$(eval $(call layer,$(name))))

embed = internal/base/embed.sh $* $(sort $^) >$@
$(BUILD)/gen/embed_migrations.S: $(wildcard sql/migrations/*.sql)
$(BUILD)/gen/embed_functions.S: $(wildcard sql/functions/*.sql)
$(BUILD)/gen/embed_queries.S: $(wildcard sql/queries/*.sql)
$(BUILD)/gen/embed_api.S: api/openapi.yaml $(BUILD)/gen/openapi.json $(DOCS) $(VIEWER)
$(BUILD)/gen/%.S:
	@mkdir -p $(@D)
	$(embed)
$(BUILD)/gen/openapi.json: api/openapi.yaml
	@mkdir -p $(@D)
	/usr/bin/python3 -c 'import json,sys,yaml; json.dump(yaml.safe_load(open(sys.argv[1])), sys.stdout, separators=(",",":"), ensure_ascii=False)' $< >$@.tmp
	@mv $@.tmp $@

# --- objects, programs ------------------------------------------------------

PROGRAMS := $(BUILD)/bin/gangd $(BUILD)/bin/gangctl
all: $(PROGRAMS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	echo '  CC $<'
	$(COMPILE) -c -o $@ $<
$(BUILD)/gen/%.o $(BUILD)/$(BUILD)/gen/%.o: $(BUILD)/gen/%.S
	@mkdir -p $(@D)
	$(CC) -c -o $@ $<

$(BUILD)/bin/%: $(BUILD)/cmd/%/main.o $(LIBS)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# --- tests ------------------------------------------------------------------

# Every tests/KIND/test_X.c and tests/KIND/X.c with a main is a program.
UNIT := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_*.c))
SIM  := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/sim/test_*.c))

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(LIBS)
	$(CC) $(LDFLAGS) -o $@ $^ -lcmocka $(LDLIBS)

.PHONY: all unit sim check help clean
.SECONDARY:
unit: $(UNIT)
	@for t in $^; do echo "$$t"; $$t || exit 1; done
sim: $(SIM)
	@for t in $^; do echo "$$t"; $$t || exit 1; done
check: unit sim

help:
	@sed -n 's/^# \{0,1\}//p;/^$$/q' Makefile

clean:
	rm -rf build build-*

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
