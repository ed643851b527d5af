import { parseOptions, print, printTable, type Run, UsageError } from "../command.ts";
import { type LargeFigures, measureLarge } from "./search-large.ts";
import { measureStored, type StoredFigures } from "./search-stored.ts";

export const runBenchSearch: Run = async (args) => {
  const { values } = parseOptions(args, {
    enrolments: { type: "string", default: "10000" },
    templates: { type: "string", default: "1000000" },
    json: { type: "boolean", default: false },
  });
  const numbers = [values.enrolments, values.templates];
  if (!numbers.every((text) => /^[1-9]\d{2,6}$/.test(text))) {
    throw new UsageError("Set --enrolments and --templates to whole numbers from 100 to 9999999");
  }
  // First, so that the memory of no other part is counted.
  const large = await measureLarge(Number(values.templates));
  const stored = await measureStored(Number(values.enrolments));
  report(stored, large, values.json);
  return stored.wrong + large.wrong === 0 ? 0 : 1;
};

const report = (stored: StoredFigures, large: LargeFigures, isJson: boolean): void => {
  if (isJson) {
    print(JSON.stringify({ stored, large }));
    return;
  }
  print(
    `${stored.enrolments} users enrolled through the store: ${stored.enrolmentsPerSecond.toFixed(0)} per second; galleries filled in ` +
      `${stored.fillMs.toFixed(0)} ms. ${stored.found} of ${stored.probes} probes (half are known) found a match; ` +
      `${stored.wrong} answers differ from exhaustive comparison. Resident ${stored.residentMiB.toFixed(0)} MiB.`,
  );
  printTable([
    ["callers", "p50 ms", "p95 ms"],
    ...stored.searches.map(({ callers, p50Ms, p95Ms }) => [
      String(callers),
      p50Ms.toFixed(1),
      p95Ms.toFixed(1),
    ]),
  ]);
  print(
    `\n${large.templates} drawn faces in one gallery, filled in ${(large.fillMs / 1000).toFixed(0)} s, drawing included. ` +
      `Of ${large.checked} probes compared with every face, ${large.wrong} answers differ. Resident ` +
      `${large.residentMiB.toFixed(0)} MiB, before it ${large.residentBeforeMiB.toFixed(0)}. A plain float32 scan would take ${large.plainScanMs.toFixed(0)} ms.`,
  );
  printTable([
    ["FPIR", "score", "callers", "p50 ms", "p95 ms", "candidates", "plain / p50"],
    ...large.searches.map(({ fpir, scoreMin, callers, p50Ms, p95Ms, candidates }) => [
      String(fpir),
      scoreMin.toFixed(2),
      String(callers),
      p50Ms.toFixed(1),
      p95Ms.toFixed(1),
      candidates.toFixed(1),
      (large.plainScanMs / p50Ms).toFixed(0),
    ]),
  ]);
};
