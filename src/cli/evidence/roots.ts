import { writeFile } from "node:fs/promises";
import { readBundleRoots } from "#app/evidence-bundle-command";
import { readConfig } from "#machine/config/config";
import { opening, parseOptions, print, type Run, UsageError } from "../command.ts";
import { checkFiguresFile } from "../kit/figures-file.ts";
import { findDeployment } from "../kit/store/deployment.ts";

export const runWriteRoots: Run = async (args) => {
  const { values } = parseOptions(args, { out: { type: "string" } });
  if (values.out === undefined) throw new UsageError("Name the file: --out FILE");
  await checkFiguresFile("--out", values.out);
  const roots = await opening(readBundleRoots(await findDeployment(readConfig())));
  await writeFile(values.out, roots.join(""));
  print(
    `${roots.length} root ${roots.length === 1 ? "certificate" : "certificates"}, written to ${values.out}`,
  );
  return 0;
};
