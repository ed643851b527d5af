import type { Command } from "../command.ts";

export const compareServices: Command = {
  help: `Usage: idem compare-services --requests FILE --theirs URL --ours URL
                             --their-key-env NAME | --their-key-file FILE
                             --our-key-env NAME | --our-key-file FILE [options]

Sends each recorded request to both services, one request at a time, and compares the answers field by field. The requests
are carried out: they enrol and delete users and start validations. Use test keys and test data.

Compared exactly: HTTP statuses, result numbers, reason codes, statuses, enumerated values, and all other values. Ids, times,
tokens, templates and explaining texts differ by nature: presence, type and shape are compared. Similarities, ages and other
estimates have a tolerance. Fields that ours answers in addition are listed, and are no differences.
The report holds no personal value: codes and enumerated values are shown, of other values the kind and length.

FILE is JSON Lines (UTF-8), one request a line:
  {"method": "POST", "path": "/services/authenticateFacial", "body": {…}}
and optionally (the method is POST without one):
  "name": "genuine"                       the word for it in the report, in place of its operation; nothing personal
  "capture": {"scan": "scanReference"}    names a value of the answer; {{scan}} in later bodies and paths is each service's own
  "until": {"status": ["DONE", "FAILED"]} repeats the request until the field has one of these values
  "theirs": {…}, "ours": {…}              fields of the body for one service alone, such as a token that only it can open
  "headers": {"family": "OnBoarding"}     app-name and family
A file whose name ends in .har is read as a HAR export: its requests whose address begins with --theirs. Ids of recorded
answers are then replaced by each service's own, and status queries repeated, without further marks.

  --theirs, --ours        base addresses, such as https://api.example.com/v1 and http://127.0.0.1:8080. Plain http goes to this
                          host alone; a private address must stand in the option itself, or in IDEM_EGRESS_ALLOW
  --their-key-env NAME    environment variable with the key; --their-key-file: a file with the key alone; so for ours
  --similarity N          tolerance of similarities, 0 to 1; default 0.05
  --ignore FIELD          a field that is not compared, by its name or path; may be repeated
  --per-second N          most requests to one service in a second; default 2
  --timeout-seconds N     for one answer; default 60
  --until-seconds N       longest repetition of one request; default 300
  --json                  the report as JSON

Nothing is sent before the whole file was checked. Exit code 0: no difference; 1: differences, requests that failed, or
every request refused by both services; 2: wrong usage. More: docs/guides/integrate/moving-here.md`,
  run: async (args) => (await import("./compare-services.ts")).runCompareServices(args),
};
