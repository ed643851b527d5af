import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { shapeFaults } from "#contract/shape-fault";

const words = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });
const name = (description: string) =>
  Type.String({ pattern: "^[a-z0-9][a-z0-9.-]{0,63}$", maxLength: 64, description });
const whole = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });
/** One number for every channel, or one each. */
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

/** The work that a model does in place of, or beside, a bundled network. */
export type Slot = (typeof slots)[number];

const point = Type.Tuple([Type.Number(), Type.Number()]);

const input = Type.Object(
  {
    name: Type.Optional(words(200, "Name of the input in the file. Absent: its first one.")),
    layout: Type.Enum(["NCHW", "NHWC"], { description: "Order of the axes." }),
    shape: Type.Array(
      Type.Union([whole(1, 8192, "A fixed dimension."), words(40, "The name of a free one.")]),
      {
        minItems: 4,
        maxItems: 4,
        description: "Dimensions, in the order of the layout.",
      },
    ),
    channels: Type.Enum(["RGB", "BGR"], { description: "Order of the colours." }),
    mean: perChannel("Taken off a value of 0…255, in the order of `channels`."),
    scale: perChannel("What is left is multiplied by it."),
    crop: Type.Optional(
      Type.Object(
        {
          faceBoxScale: Type.Number({
            minimum: 1,
            maximum: 8,
            description: "Sides of the crop over those of the face's box (forehead to chin, ear to ear).",
          }),
          faceWidthShareMax: Type.Number({
            exclusiveMinimum: 0,
            maximum: 1,
            description: "A face that fills more of the picture's width is not shown to the model.",
          }),
        },
        { additionalProperties: false, description: "The crop about a face, stretched to the input." },
      ),
    ),
    align: Type.Optional(
      Type.Array(point, {
        minItems: 5,
        maxItems: 5,
        description:
          "Where right eye, left eye, nose tip, right and left corner of the mouth lie in the input, in pixels; the face is turned, scaled and shifted onto them.",
      }),
    ),
  },
  { additionalProperties: false },
);

const output = Type.Object(
  {
    kind: Type.Enum(["logits", "probabilities", "scalar", "embedding", "yunet", "db", "ctc", "heatmap"], {
      description: "What the values are, and so how they are read.",
    }),
    name: Type.Optional(words(200, "Name of the output in the file. Absent: its first one.")),
    size: Type.Optional(whole(1, 65_536, "Classes, or length of the embedding.")),
    index: Type.Optional(whole(0, 65_535, "The class that is asked for: of liveness, the live one.")),
  },
  { additionalProperties: false },
);

/** Description of a model's file: what goes in, what comes out, who may use it. Published as api/model-manifest.schema.json. */
export const manifestSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 200 })),
    name: name("What the model is called on the command line and in decisions."),
    version: words(40, "Which state of it this is."),
    slot: Type.Enum([...slots], { description: "The work that it does." }),
    group: Type.Optional(name("Models of one group work together: their answers are averaged.")),
    file: Type.Optional(words(200, "Name of the file at its publisher's.")),
    sha256: Type.String({
      pattern: "^[0-9a-f]{64}$",
      description: "Of the file: this and no other is meant.",
    }),
    bytes: Type.Optional(whole(1, 2_000_000_000, "Length of the file. Absent: not known.")),
    urls: Type.Optional(
      Type.Array(Type.String({ pattern: "^https://", maxLength: 1000 }), {
        maxItems: 8,
        description: "Where the file lies, tried in turn.",
      }),
    ),
    policy: Type.Optional(
      Type.Enum(["default", "ask"], {
        description: "`ask`: training data or origin are unclear, so that it is taken by --accept alone.",
      }),
    ),
    licence: Type.Object(
      {
        code: Type.Optional(words(300, "Licence of the program around it.")),
        weights: words(300, "Licence of the file itself."),
        where: Type.Optional(words(300, "Where that is written.")),
      },
      { additionalProperties: false },
    ),
    training: words(1000, "What it learned from, as far as its source tells."),
    caution: words(1000, "What to know before using it."),
    input,
    output,
    thresholds: Type.Optional(
      Type.Record(Type.String({ pattern: "^1e-[1-9]$" }), Type.Number(), {
        description: "Cosine from which two faces match, by false-match rate.",
      }),
    ),
    published: Type.Optional(words(1000, "What its publisher says of its accuracy.")),
  },
  {
    $id: "urn:idem:model-manifest:1",
    title: "Manifest of a model",
    additionalProperties: false,
  },
);

export type Manifest = Static<typeof manifestSchema>;

const manifestShape = Compile(manifestSchema);

/** True for a whole manifest. */
export const isManifest = (value: unknown): value is Manifest => manifestShape.Check(value);

/** What keeps a value from being a manifest: each problem with the field's place. Empty for one that is. */
export const findProblems = (value: unknown): readonly string[] =>
  shapeFaults(manifestShape.Errors(value)).slice(0, 8);

/** How a model is named to people and in decisions. */
export const labelOf = ({ name: called, version }: Pick<Manifest, "name" | "version">): string =>
  `${called}@${version}`;
