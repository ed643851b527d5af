/**
 * Makes the files of a release in release/ from a clean commit: the source, the bill of materials, and the
 * SHA-256 of both. Ends with 1 and the next steps where the tree is not ready.
 * docs/guides/extend/releasing.md has the whole way.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { endWithHelp } from "./help.ts";
import { writeBillOfMaterials } from "./release/bill-of-materials.ts";
import { licenceFaults, productionPackages } from "./release/licences.ts";
import { releaseFaults } from "./release/release-faults.ts";

endWithHelp(import.meta.filename);

const root = new URL("..", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const git = (...args: readonly string[]): Buffer =>
  execFileSync("git", args, { cwd: fileURLToPath(root), maxBuffer: 1024 ** 3 });

const { name, version } = JSON.parse(read("package.json"));
const lock = JSON.parse(read("package-lock.json"));
const packages = productionPackages(lock);
const released = `api/released/${version}.yaml`;
const faults = releaseFaults({
  versions: [version, lock.version, lock.packages[""].version],
  changelog: read("CHANGELOG.md"),
  contract: read("api/openapi.yaml"),
  released: existsSync(new URL(released, root)) ? read(released) : undefined,
  changes: git("status", "--porcelain").toString().trimEnd(),
  licenceFaults: licenceFaults(packages, read("NOTICE")),
});

const makeFiles = async (): Promise<void> => {
  const title = `${name}-${version}`;
  const files: readonly (readonly [file: string, bytes: Uint8Array])[] = [
    [`${title}.tar`, git("archive", "--format=tar", `--prefix=${title}/`, "HEAD")],
    [`${title}.cdx.json`, Buffer.from(await writeBillOfMaterials(name, packages))],
  ];
  const sums = files.map(([file, bytes]) => `${createHash("sha256").update(bytes).digest("hex")}  ${file}\n`);
  const folder = new URL("release/", root);
  mkdirSync(folder, { recursive: true });
  for (const [file, bytes] of [...files, ["SHA256SUMS", Buffer.from(sums.join(""))] as const]) {
    writeFileSync(new URL(file, folder), bytes);
    console.log(`written: release/${file}`);
  }
  console.log(
    `Commit ${git("rev-parse", "HEAD").toString().trim()}. Sign SHA256SUMS and the tag v${version}.`,
  );
};

if (faults.length > 0) {
  for (const fault of faults) console.error(fault);
  process.exitCode = 1;
} else {
  await makeFiles();
}
