import { writeFile } from "node:fs/promises";
import { readBundleRoots } from "#app/evidence-bundle-command";
import { readConfig } from "#machine/config/config";
import { type Command, opening, parseOptions, print, UsageError } from "../command.ts";
import { checkFiguresFile } from "../measure/figures-file.ts";
import { findDeployment } from "../serve/first-start.ts";

export const writeRoots: Command = {
  help: `Usage: idem evidence roots --out FILE

Writes the root certificates (PEM) to which the signer of bundles and the time-stamp authorities of this deployment lead. The
receiver of a bundle needs them for idem evidence verify --roots FILE. Hand them out by a way that the receiver trusts, and
not beside the bundle: who can exchange both can exchange the proof. It reads alone, and may run beside the service.

  --out   the file; an existing file is replaced`,
  run: async (args) => {
    const { values } = parseOptions(args, { out: { type: "string" } });
    if (values.out === undefined) throw new UsageError("Name the file: --out FILE");
    await checkFiguresFile("--out", values.out);
    const roots = await opening(readBundleRoots(await findDeployment(readConfig())));
    await writeFile(values.out, roots.join(""));
    print(
      `${roots.length} root ${roots.length === 1 ? "certificate" : "certificates"}, written to ${values.out}`,
    );
    return 0;
  },
};
