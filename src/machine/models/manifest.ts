import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { shapeFaults } from "#contract/shape-fault";

const words = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });
const name = (description: string) =>
  Type.String({ pattern: "^[a-z0-9][a-z0-9.-]{0,63}$", maxLength: 64, description });
const whole = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });
/** One number for every channel, or one per channel. */
const perChannel = (description: string) =>
  Type.Union([Type.Number(), Type.Tuple([Type.Number(), Type.Number(), Type.Number()])], { description });

const slots = [
  "face-detector",
  "face-recogniser",
  "liveness",
  "face-quality",
  "eye-state",
  "text-detector",
  "text-recogniser",
  "text-orientation",
  "document-corners",
] as const;

/** The task of a model, in place of or beside a bundled network. */
export type Slot = (typeof slots)[number];

const point = Type.Tuple([Type.Number(), Type.Number()]);

const input = Type.Object(
  {
    name: Type.Optional(words(200, "Name of the input in the file. Absent: the first input.")),
    layout: Type.Enum(["NCHW", "NHWC"], { description: "Order of the axes." }),
    shape: Type.Array(
      Type.Union([whole(1, 8192, "A fixed dimension."), words(40, "The name of a free dimension.")]),
      {
        minItems: 4,
        maxItems: 4,
        description: "Dimensions, in the order of the layout.",
      },
    ),
    channels: Type.Enum(["RGB", "BGR"], { description: "Order of the colours." }),
    mean: perChannel("Subtracted from a value of 0…255, in the order of `channels`."),
    scale: perChannel("Multiplies the difference."),
    crop: Type.Optional(
      Type.Object(
        {
          faceBoxScale: Type.Number({
            minimum: 1,
            maximum: 8,
            description:
              "Sides of the crop relative to those of the face box (forehead to chin, ear to ear).",
          }),
          faceWidthShareMax: Type.Number({
            exclusiveMinimum: 0,
            maximum: 1,
            description: "A face that fills more of the image's width is not given to the model.",
          }),
        },
        { additionalProperties: false, description: "The crop around a face, stretched to the input." },
      ),
    ),
    align: Type.Optional(
      Type.Array(point, {
        minItems: 5,
        maxItems: 5,
        description:
          "Positions of right eye, left eye, nose tip, right and left corner of the mouth in the input, in pixels; the face is rotated, scaled and shifted onto them.",
      }),
    ),
  },
  { additionalProperties: false },
);

const output = Type.Object(
  {
    kind: Type.Enum(["logits", "probabilities", "scalar", "embedding", "yunet", "db", "ctc", "heatmap"], {
      description: "Kind of the values, which decides how they are read.",
    }),
    name: Type.Optional(words(200, "Name of the output in the file. Absent: the first output.")),
    size: Type.Optional(whole(1, 65_536, "Number of classes, or length of the embedding.")),
    index: Type.Optional(whole(0, 65_535, "The class to read: for liveness, the live class.")),
  },
  { additionalProperties: false },
);

/**
 * Description of a model's file: input, output, terms of use. Published as api/model-manifest.schema.json.
 */
export const manifestSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 200 })),
    name: name("Name of the model on the command line and in decisions."),
    version: words(40, "Version of the model."),
    slot: Type.Enum([...slots], { description: "Task of the model." }),
    group: Type.Optional(name("Models of one group work together: their scores are averaged.")),
    file: Type.Optional(words(200, "Name of the file at its publisher.")),
    sha256: Type.String({
      pattern: "^[0-9a-f]{64}$",
      description: "SHA-256 of the file, which identifies the model.",
    }),
    bytes: Type.Optional(whole(1, 2_000_000_000, "Length of the file. Absent: unknown.")),
    urls: Type.Optional(
      Type.Array(Type.String({ pattern: "^https://", maxLength: 1000 }), {
        maxItems: 8,
        description: "Addresses of the file, tried in order.",
      }),
    ),
    policy: Type.Optional(
      Type.Enum(["default", "ask"], {
        description: "`ask`: training data or origin are unclear: installed only with --accept.",
      }),
    ),
    licence: Type.Object(
      {
        code: Type.Optional(words(300, "Licence of the accompanying code.")),
        weights: words(300, "Licence of the file itself."),
        where: Type.Optional(words(300, "Source of the licence.")),
      },
      { additionalProperties: false },
    ),
    training: words(1000, "Training data, as far as its source states it."),
    caution: words(1000, "Warning for users of the model."),
    input,
    output,
    thresholds: Type.Optional(
      Type.Record(Type.String({ pattern: "^1e-[1-9]$" }), Type.Number(), {
        description: "Lowest cosine of a match, by false-match rate.",
      }),
    ),
    published: Type.Optional(words(1000, "Accuracy as stated by its publisher.")),
  },
  {
    $id: "urn:idem:model-manifest:1",
    title: "Manifest of a model",
    additionalProperties: false,
  },
);

export type Manifest = Static<typeof manifestSchema>;

const manifestShape = makeCheck(manifestSchema);

/** True for a complete manifest. */
export const isManifest = (value: unknown): value is Manifest => manifestShape.Check(value);

/** The problems of a manifest, each with the place of the field. Empty for a valid manifest. */
export const findProblems = (value: unknown): readonly string[] =>
  shapeFaults(manifestShape.Errors(value)).slice(0, 8);
