import { readFile } from "node:fs/promises";

/** Resources that a process has used so far, as Linux reports them. */
export type Usage = { readonly cpuMs: number; readonly residentBytes: number };

/** Ticks per second of /proc: 100 on every Linux that Node supports (getconf CLK_TCK). */
const ticksPerSecond = 100;
const pageBytes = 4096;

/** CPU time of all threads and resident memory of a process. Linux only (proc(5)). */
export const readUsage = async (pid: number): Promise<Usage> => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  // The second field is a name in parentheses that may hold spaces: count from its end.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [userTicks, systemTicks, pages] = [fields[11], fields[12], fields[21]].map(Number);
  return {
    cpuMs: (((userTicks ?? 0) + (systemTicks ?? 0)) * 1000) / ticksPerSecond,
    residentBytes: (pages ?? 0) * pageBytes,
  };
};

/** One metric in the Prometheus text format: labels and value of each line. */
export const readMetric = (
  text: string,
  name: string,
): readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .map((line) => {
      const labels = Array.from(line.matchAll(/(\w+)="([^"]*)"/g), ([, label = "", value = ""]) => [
        label,
        value,
      ]);
      return { labels: Object.fromEntries(labels), value: Number(line.slice(line.lastIndexOf(" ") + 1)) };
    });
