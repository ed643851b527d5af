import chromium from "@sparticuz/chromium";
import { chromium as playwright } from "playwright-core";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { browserOptions } from "./browser-options.ts";
import type { Started } from "./shared-setup.ts";

const wish = Compile(Type.Object({ flags: Type.Array(Type.String()) }));

/** Starts Chromium with these flags and this folder for its files. */
export const launchBrowser = async (folder: string, wanted: unknown): Promise<Started> => {
  const { flags } = wish.Parse(wanted);
  const executable = await chromium.executablePath();
  const server = await playwright.launchServer(browserOptions(executable, folder, flags));
  return { shown: { endpoint: server.wsEndpoint() }, end: () => server.close() };
};
