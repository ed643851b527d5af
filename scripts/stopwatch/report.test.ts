import { expect, it } from "vitest";
import { describeResult, goals, type Machine, type Measured, resultOf } from "./report.ts";

const machine: Machine = {
  processor: "CPU",
  cores: 2,
  memoryGb: 8,
  system: "Linux 6",
  node: "20.20.1",
  loadBefore: 0.1,
};
const measured: Measured = {
  commit: "0123abc",
  cloneSeconds: 4.4,
  installSeconds: 80.3,
  demoSeconds: 12.2,
  ownSeconds: 10.4,
  packagesMb: { all: 1400, production: 1029, trimmedWithNode: 287, trimmed: 166 },
};
const at = new Date(0);

it("adds the clone and the installation to each milestone", () => {
  const { seconds, commands, met } = resultOf(measured, machine, at);
  expect(seconds).toMatchObject({ clone: 4, install: 80, untilDemo: 97, untilOwn: 95 });
  expect(commands).toEqual({ demo: 2, own: 2 });
  expect(met).toEqual({ demo: true, own: true });
});

it.each([
  [0, true],
  [1, false],
])("a goal is met up to its second: %d s over it", (over, isMet) => {
  const rest = measured.cloneSeconds + measured.installSeconds;
  const late = {
    ...measured,
    demoSeconds: goals.demoSeconds + over - rest,
    ownSeconds: goals.ownSeconds + over - rest,
  };
  expect(resultOf(late, machine, at).met).toEqual({ demo: isMet, own: isMet });
});

it("the table has the figures of the JSON", () => {
  const text = describeResult(resultOf(measured, machine, at)).join("\n");
  expect(text).toContain("CPU, 2 cores, 8 GB, Linux 6, Node 20.20.1, load 0.1");
  expect(text).toMatch(/demo with its story +2 +1:37 +2:00, met/);
  expect(text).toMatch(/a check of own images +2 +1:35 +3:00, met/);
  expect(text).toContain(
    "packages: 1400 MB; without those of developers 1029 MB; trimmed 287 MB, without their Node 166 MB",
  );
});
