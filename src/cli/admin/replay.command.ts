import type { Command } from "../command.ts";

export const replay: Command = {
  help: `Usage: idem replay [--since DATE] [--policy FILE] [--model NAME] [--tenant NAME] [--json FILE]

Judges stored face calls again (identity, liveness, authenticateFacial, authenticateUser, faces of capture sessions) from
their stored measurements and prints the decisions that would change. Writes nothing and calls no provider. Without --policy or --model it judges
under the current settings: this shows the effect of settings changed since the calls.

No face image is stored, so another model can be replayed only on calls that it saw in shadow mode: see idem models shadow.
"cannot be decided" means that the decision needs data that was not stored: the score of faces that were not compared, or
whether a user who sent a reference image was compared with that image or with the registered template. The owner of a
reference and the comparison scores stay as recorded. The effect of another cohort (IDEM_FACE_COHORT) or recogniser is not
computed; the number of calls under another one is printed. updateUserTemplate and document portraits are not judged again.

  --since DATE    first day or time, as 2026-11-01 or 2026-11-01T08:00:00Z; default: all calls
  --policy FILE   JSON with other values, under the names of docs/guides/operate/running.md: {"liveness": {"yawDegreesMax": 25},
                  "comparison": {"falseMatchRates": {"document": 0.001}}}
  --model NAME    judges with the shadow scores of this liveness model in place of the deciding model; its name, or the
                  first eight digits of its hash
  --tenant NAME   name of the tenant; needed when there are several
  --json FILE     writes the figures there, with ids of changed calls`,
  run: async (args) => (await import("./replay.ts")).runReplay(args),
};
