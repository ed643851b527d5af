/**
 * Runs many capture sessions at once against a fresh service: node test/capture-load/load.ts --sessions 50.
 * Ends with 1 where a session is lost, or where the other calls keep less than 80 % of their rate.
 */
import { parseArgs } from "node:util";
import { print } from "#cli/command";
import { measureCaptures } from "./measure.ts";

const help = `Usage: node test/capture-load/load.ts [--sessions N] [--callers N] [--think-seconds N] [--kills N] [--json]

Drawn persons rotate their heads as their challenges ask, in N sessions at once. Each page sends a refused or lost call again. Beside them
callers ask for passive liveness. Keep the machine idle.

  --sessions       sessions at once, default 50
  --callers        callers beside them, default 2; 0 for none
  --think-seconds  longest pause of a person before each of two calls, default 20
  --kills          SIGKILLs of the service meanwhile, default 0
  --json           the report as JSON`;

const { values } = parseArgs({
  options: {
    sessions: { type: "string", default: "50" },
    callers: { type: "string", default: "2" },
    "think-seconds": { type: "string", default: "20" },
    kills: { type: "string", default: "0" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  print(help);
  process.exit(0);
}

const report = await measureCaptures({
  sessions: Number(values.sessions),
  callers: Number(values.callers),
  alone: 8,
  thinkMs: 1000 * Number(values["think-seconds"]),
  kills: Number(values.kills),
  workers: 2,
});
const { accepted, others, seconds, finishMs, cpuMsAlone, rates, residentMiB } = report;
const share = rates === undefined ? undefined : rates.beside / rates.before;
if (values.json) print(JSON.stringify(report));
else {
  print(
    `${accepted} of ${values.sessions} sessions accepted in ${seconds.toFixed(0)} s. ${others.join("; ")}`,
  );
  print(`Judgement for the page: p50 ${finishMs.p50.toFixed(0)} ms, p95 ${finishMs.p95.toFixed(0)} ms`);
  print(`Processor time of a session alone: ${cpuMsAlone.toFixed(0)} ms`);
  print(`Resident MiB: ${residentMiB.before.toFixed(0)}, at most ${residentMiB.most.toFixed(0)}`);
  if (rates !== undefined && share !== undefined)
    print(
      `Other calls a second: ${rates.before.toFixed(1)}, beside the sessions ${rates.beside.toFixed(1)} (${(100 * share).toFixed(0)} %), ${rates.failed} failed`,
    );
}
process.exit(others.length > 0 || (share !== undefined && share < 0.8) ? 1 : 0);
