import { type Browser, chromium } from "playwright-core";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll } from "vitest";
import { askShared } from "./shared.ts";

const place = Compile(Type.Object({ endpoint: Type.String() }));
const files = Compile(Type.Object({ folder: Type.String() }));

/** Of a browser without a camera: one more name of this machine, which is no secure context. */
const plainFlags = async (): Promise<readonly string[]> => [
  "--host-resolver-rules=MAP insecure.test 127.0.0.1",
];

/**
 * The browser of all tests of the run, for those of this `describe`. The function returns it while they run.
 * `flags` are further arguments of Chromium, made in a folder of the run: one browser is started for each
 * list of them.
 */
export const openBrowser = (
  flags: (folder: string) => Promise<readonly string[]> = plainFlags,
): (() => Browser) => {
  let opened: Browser | undefined;

  beforeAll(async () => {
    const { folder } = files.Parse(await askShared("/folder"));
    const { endpoint } = place.Parse(await askShared("/browser", { flags: await flags(folder) }));
    opened = await chromium.connect(endpoint);
  });

  // Ends the connection and its contexts; the browser stays.
  afterAll(async () => await opened?.close());

  return () => {
    if (opened === undefined) throw new Error("The browser is open only while the tests run");
    return opened;
  };
};
