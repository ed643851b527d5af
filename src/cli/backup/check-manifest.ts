import { compareWithManifest } from "#app/check-manifest";
import type { Config } from "#machine/config/config";
import { print, say } from "../command.ts";
import { inBackupWords } from "../kit/in-backup-words.ts";
import { makeProgress } from "../kit/progress.ts";

/** Most differences that are named. */
const namedMax = 20;

/** Prints the differences between the deployment of the settings and a manifest. Returns the exit code. */
export const checkManifest = async (config: Config, file: string, isJson: boolean): Promise<number> => {
  const progress = makeProgress("Manifest");
  const found = await inBackupWords(async () => {
    try {
      return await compareWithManifest(config, file, progress.show);
    } finally {
      progress.end();
    }
  });
  const { differences, ...counts } = found;
  if (isJson) {
    print(JSON.stringify({ ...counts, differences: differences.length }));
  } else {
    say(
      `${counts.chains} chains and ${counts.objects} objects compared; ${counts.removed} were removed since.`,
    );
    print(differences.length === 0 ? "All of it is there." : `Differences: ${differences.length}`);
  }
  differences.slice(0, namedMax).forEach((difference) => say(difference));
  return differences.length === 0 ? 0 : 1;
};
