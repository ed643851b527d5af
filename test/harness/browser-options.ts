/** How tests start Chromium: headless, with this folder for all its files. */
export const browserOptions = (executablePath: string, folder: string, flags: readonly string[]) => ({
  executablePath,
  env: { ...process.env, TMPDIR: folder, HOME: folder },
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", ...flags],
});
