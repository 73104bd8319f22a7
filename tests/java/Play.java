// A client of gangd in Java: the JDK's HTTP client, and the classes that a
// generator makes of the document.  Three players play a game of The Gang, and
// two a game of Famiglia, each by its own views.
//
// The compiler knows each form of a union by its class; a member of an answer
// that the document does not have stops the program, since Jackson refuses it.

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import gangd.model.*;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

public final class Play {
	private static final int MOVES_MAX = 2000;

	private static final ObjectMapper JSON = new ObjectMapper()
		.setSerializationInclusion(JsonInclude.Include.NON_NULL);
	private static final HttpClient HTTP = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1).build();

	private final String url;
	private int moves;

	private Play(String url) {
		this.url = url;
	}

	public static void main(String[] arguments) throws Exception {
		Play play = new Play(arguments[0]);
		play.gang();
		play.famiglia();
	}

	// --- the service --------------------------------------------------------

	private static final class Refused extends Exception {
		private static final long serialVersionUID = 1;
		final transient Problem problem;

		Refused(Problem problem) {
			super(problem.getDetail());
			this.problem = problem;
		}
	}

	private <T> T ask(String token, String path, Object body, Class<T> answer)
			throws IOException, InterruptedException, Refused {
		HttpRequest.Builder request =
			HttpRequest.newBuilder(URI.create(url + path));
		if (token != null)
			request.header("Authorization", "Bearer " + token);
		if (body != null)
			request.header("Content-Type", "application/json")
				.POST(HttpRequest.BodyPublishers.ofString(
					JSON.writeValueAsString(body)));
		HttpResponse<String> response = HTTP.send(request.build(),
			HttpResponse.BodyHandlers.ofString());
		if (response.statusCode() >= 400)
			throw new Refused(JSON.readValue(response.body(),
				Problem.class));
		return JSON.readValue(response.body(), answer);
	}

	// The tokens of a new game's players, the host's first.
	private final List<String> tokens = new ArrayList<>();

	private String create(CreateGame settings, int players) throws Exception {
		CreatedGame made = ask(null, "/v1/games", settings,
			CreatedGame.class);
		tokens.clear();
		tokens.add(made.getToken());
		while (tokens.size() < players)
			tokens.add(ask(null, "/v1/invitations/" +
				made.getInviteCode() + "/players",
				new JoinByCode().name("Guest " + tokens.size()),
				JoinedGame.class).getToken());
		moves = 0;
		Game game = made.getGame();
		return game instanceof GangGame
			? ((GangGame) game).getId()
			: ((FamigliaGame) game).getId();
	}

	private Game move(String token, String id, Command command)
			throws Exception {
		check(++moves < MOVES_MAX, "the game ends");
		return ask(token, "/v1/games/" + id + "/actions", command,
			Game.class);
	}

	private static void check(boolean isSo, String claim) {
		if (!isSo)
			throw new IllegalStateException("not so: " + claim);
	}

	// The log has as many events as the version says.
	private List<Event> readLog(String id, long version) throws Exception {
		List<Event> events = ask(tokens.get(0),
			"/v1/games/" + id + "/events?limit=500", null,
			EventPage.class).getEvents();
		check(events.size() == version, "no event is missing");
		return events;
	}

	// --- The Gang -----------------------------------------------------------

	private void gang() throws Exception {
		String id = create(new CreateGame().name("Ada")
			.ruleset(Ruleset.THE_GANG).mode(Mode.BASIC).seats(3), 3);
		steal(id);
		GangGame game;
		do {
			game = null;
			for (String token : tokens) {
				game = (GangGame) ask(token, "/v1/games/" + id,
					null, Game.class);
				Command command = choose(game);
				if (command != null)
					game = (GangGame) move(token, id, command);
			}
		} while (game.getStatus() == GangGame.StatusEnum.PLAYING);
		List<Event> events = readLog(id, game.getVersion());
		int taken = 0;
		for (Event event : events)
			if (event instanceof ChipTakenEvent)
				taken += ((ChipTakenEvent) event).getData()
					.getFrom().equals("center") ? 1 : 0;
		check(taken >= 3 * 4 * 3 && taken < moves,
			"a chip was taken in each round");
		check(events.get(events.size() - 1) instanceof GameEndedEvent,
			"the end of the game is the last event");
		System.out.println("The Gang: " + game.getStatus() + " after " +
			moves + " moves");
	}

	// A chip that is not where the player saw it is a problem by its code.
	private void steal(String id) throws Exception {
		try {
			move(tokens.get(0), id, new TakeChipCommand()
				.action("take_chip").color(Color.WHITE).stars(1)
				.from(2));
		} catch (Refused refused) {
			check(refused.problem.getCode() == ProblemCode.CHIP_MOVED,
				"the chip is elsewhere");
			check(refused.problem.getNow().getColor() == Color.WHITE,
				"the chips are white");
			return;
		}
		check(false, "a chip cannot be taken from a seat without it");
	}

	private static Command choose(GangGame game) {
		int seat = game.getYou().getSeat();
		boolean owes = game.getHeist().getWaitingFor().contains(seat);
		for (GangAction action : game.getYou().getLegalActions()) {
			if (action instanceof NextHeistAction)
				return new NextHeistCommand().action("next_heist");
			if (owes && action instanceof TakeChipAction) {
				TakeChipDraft draft =
					((TakeChipAction) action).getCommand();
				if (draft.getFrom().equals("center"))
					return new TakeChipCommand()
						.action(draft.getAction().getValue())
						.color(draft.getColor())
						.stars(draft.getStars())
						.from(draft.getFrom());
			}
		}
		return null;
	}

	// --- Famiglia -----------------------------------------------------------

	private void famiglia() throws Exception {
		String id = create(new CreateGame().name("Ada")
			.ruleset(Ruleset.FAMIGLIA), 2);
		FamigliaGame game;
		do {
			game = null;
			for (String token : tokens) {
				game = (FamigliaGame) ask(token, "/v1/games/" + id,
					null, Game.class);
				Command command = choose(game);
				if (command != null)
					game = (FamigliaGame) move(token, id, command);
			}
		} while (game.getStatus() == FamigliaGame.StatusEnum.PLAYING);
		check(game.getTable().getResult() != null, "there is a result");
		readLog(id, game.getVersion());
		System.out.println("Famiglia: " +
			game.getTable().getResult().getReason() + " after " + moves +
			" moves");
	}

	// Refills the street until there is a card for nothing, or else takes the
	// first card that it can, and pays with the first pair.
	private static Command choose(FamigliaGame game) {
		Command pass = null;
		for (FamigliaAction action : game.getYou().getLegalActions()) {
			if (action instanceof RefillAction)
				return new RefillCommand().action("refill").card(
					((RefillAction) action).getCommand()
						.getCard());
			if (action instanceof PassAction)
				pass = new PassCommand().action("pass");
			if (!(action instanceof TakeAction))
				continue;
			TakeAction take = (TakeAction) action;
			TakeCommand command = new TakeCommand().action("take")
				.card(take.getCommand().getCard());
			if (take.getChoose() == null)
				return command;
			return command.keep(take.getCommand().getKeep()).pay(
				take.getChoose().getPay().getOptions().get(0));
		}
		return pass;
	}
}
