/** What the stopwatch measured, as one line of JSON and as a table. Sizes in MB of 1,000,000 bytes. */

export type Machine = {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  /** The Node of the system; the packages bring another. */
  readonly node: string;
  /** Runnable processes over the minute before: a quiet machine has less than one. */
  readonly loadBefore: number;
};

export type Measured = {
  readonly commit: string;
  readonly cloneSeconds: number;
  readonly installSeconds: number;
  readonly demoSeconds: number;
  readonly ownSeconds: number;
  /**
   * Installed packages: with those of developers, without them; trimmed, with the Node of the packages and
   * without it.
   */
  readonly packagesMb: {
    readonly all: number;
    readonly production: number;
    readonly trimmedWithNode: number;
    readonly trimmed: number;
  };
};

/** What a user types after the clone, in its order. */
export const commands = {
  demo: ["npm ci", "npm run demo -- --exit"],
  own: ["npm ci", "./idem verify --selfie SELFIE --document DOCUMENT"],
} as const;

/** Bounds that the project set itself. */
export const goals = { demoSeconds: 120, ownSeconds: 180, ownCommands: 4 } as const;

/** Seconds from the beginning of the clone. */
const sinceClone = ({ cloneSeconds, installSeconds }: Measured, seconds: number): number =>
  Math.round(cloneSeconds + installSeconds + seconds);

/** The figures, with whether each goal is met. */
export const resultOf = (measured: Measured, machine: Machine, at: Date) => {
  const demo = sinceClone(measured, measured.demoSeconds);
  const own = sinceClone(measured, measured.ownSeconds);
  return {
    at: at.toISOString(),
    commit: measured.commit,
    machine,
    seconds: {
      clone: Math.round(measured.cloneSeconds),
      install: Math.round(measured.installSeconds),
      demo: Math.round(measured.demoSeconds),
      own: Math.round(measured.ownSeconds),
      untilDemo: demo,
      untilOwn: own,
    },
    commands: { demo: commands.demo.length, own: commands.own.length },
    packagesMb: measured.packagesMb,
    met: {
      demo: demo <= goals.demoSeconds,
      own: own <= goals.ownSeconds && commands.own.length <= goals.ownCommands,
    },
  };
};

export type Result = ReturnType<typeof resultOf>;

const time = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** The same for a reader, one text a line. */
export const describeResult = ({ seconds, commands: counts, packagesMb, met, machine, commit }: Result) => {
  const rows = [
    ["milestone", "commands after the clone", "since the clone began", "goal"],
    [
      "demo with its story",
      String(counts.demo),
      time(seconds.untilDemo),
      goalOf(goals.demoSeconds, met.demo),
    ],
    ["a check of own images", String(counts.own), time(seconds.untilOwn), goalOf(goals.ownSeconds, met.own)],
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return [
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}, load ${machine.loadBefore}`,
    `commit ${commit}: clone ${seconds.clone} s, npm ci ${seconds.install} s, demo ${seconds.demo} s, own images ${seconds.own} s`,
    "",
    ...rows.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    ),
    "",
    `packages: ${packagesMb.all} MB; without those of developers ${packagesMb.production} MB; trimmed ${packagesMb.trimmedWithNode} MB, without their Node ${packagesMb.trimmed} MB`,
  ];
};

const goalOf = (seconds: number, isMet: boolean): string => `${time(seconds)}, ${isMet ? "met" : "missed"}`;
