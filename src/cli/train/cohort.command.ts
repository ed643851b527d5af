import { type Command, wrongAction } from "../command.ts";

const build: Command = {
  help: `Usage: idem cohort build --images DIR --out FILE

Measures the images (JPEG, PNG) under DIR and writes a cohort: the faces for score normalisation, which makes the
false-match rate of all groups alike. Use images as your users take them, one per person, of as many people of every group
as you have: at least 200, better a thousand. Images without a face or with several, children and second images of a
person are left out; their number and the first names are printed. DIR may be a link; links in it are not followed. FILE
holds random blends of many faces, no vector of a person; the images are only read.

From 350 people on FILE also holds the false-match rates of scores under it, counted in groups of similar people:
thresholds for a false-match rate then fit your users. The counts are printed. With fewer people the thresholds of the
shipped cohort apply: at 1e-2 and below with somewhat more false rejections than necessary, at 1e-1 with more false matches.

Then set IDEM_FACE_COHORT=FILE for idem serve and for idem measure, and compare the figures of idem measure faces --groups
with and without it. Registered users need no new enrolment.

  --images DIR   folder of images, with its subfolders
  --out FILE     file of the cohort; replaced if it exists`,
  run: async (args) => (await import("./cohort.ts")).runBuild(args),
};

export const cohort: Command = {
  help: `Usage: idem cohort build --images DIR --out FILE

${build.help.split("\n").slice(2).join("\n")}`,
  topics: { build: async () => build },
  run: async ([given]) => {
    throw wrongAction("cohort", given, ["build"]);
  },
};
