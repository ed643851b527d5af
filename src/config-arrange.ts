import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { Static } from "typebox";
import { parseMasterKey } from "./config-master-key.ts";
import type { variables } from "./config-variables.ts";

type Variables = Static<typeof variables>;

/** The values of the environment, checked, under the names by which the code knows them. */
export const arrange = (values: Variables) => ({
  mode: values.IDEM_MODE,
  dataDirectory: resolve(values.IDEM_DATA),
  logLevel: values.IDEM_LOG_LEVEL,
  http: {
    host: values.IDEM_HOST,
    port: values.IDEM_PORT,
    bodyBytesMax: values.IDEM_BODY_BYTES_MAX,
    isBehindTls: values.IDEM_BEHIND_TLS,
    publicUrl: values.IDEM_PUBLIC_URL,
    trustedProxies: values.IDEM_TRUSTED_PROXIES?.split(",").map((proxy) => proxy.trim()),
    metricsToken: values.IDEM_METRICS_TOKEN,
    requestTimeoutMs: values.IDEM_REQUEST_TIMEOUT_MS,
    drainMs: values.IDEM_DRAIN_MS,
    rate:
      values.IDEM_RATE_PER_SECOND === undefined
        ? undefined
        : { perSecond: values.IDEM_RATE_PER_SECOND, burst: values.IDEM_RATE_BURST },
  },
  defaultCountry: values.IDEM_DEFAULT_COUNTRY,
  databaseUrl: values.IDEM_DATABASE_URL,
  s3: arrangeS3(values),
  /** Absent only in development: the first start then makes one in the data directory. */
  masterKey: keyBytes(values.IDEM_MASTER_KEY),
  masterKeyPrevious: keyBytes(values.IDEM_MASTER_KEY_PREVIOUS),
  inference: { workers: values.IDEM_WORKERS ?? availableParallelism(), queueMax: values.IDEM_QUEUE_MAX },
  images: { bytesMax: values.IDEM_IMAGE_BYTES_MAX, pixelsMax: values.IDEM_IMAGE_PIXELS_MAX },
  validation: arrangeValidation(values),
  morphology: arrangeMorphology(values),
  egress: {
    allow: values.IDEM_EGRESS_ALLOW?.split(",").map((range) => range.trim()) ?? [],
    ...(values.IDEM_EGRESS_PROXY !== undefined && { proxy: new URL(values.IDEM_EGRESS_PROXY) }),
  },
  faces: {
    falseMatchRates: {
      selfie: Number(values.IDEM_FMR_SELFIE),
      document: Number(values.IDEM_FMR_DOCUMENT),
      registry: Number(values.IDEM_FMR_REGISTRY),
    },
    advisoryLiveness: values.IDEM_ADVISORY_LIVENESS,
    fusionFile: values.IDEM_LIVENESS_FUSION === undefined ? undefined : resolve(values.IDEM_LIVENESS_FUSION),
    cohortFile: values.IDEM_FACE_COHORT === undefined ? undefined : resolve(values.IDEM_FACE_COHORT),
  },
  people: arrangePeople(values),
  tokens: {
    tokenBytesMax: values.IDEM_IMAGE_BYTES_MAX + 1024,
    aheadMsMax: values.IDEM_TOKEN_AHEAD_SECONDS * 1000,
    ageMsMax: tokenAges(values.IDEM_TOKEN_AGE_SECONDS * 1000),
  },
});

const arrangeValidation = (values: Variables) => ({
  leaseMs: values.IDEM_LEASE_MS,
  pepFile: values.IDEM_PEP_LIST === undefined ? undefined : resolve(values.IDEM_PEP_LIST),
  attacksFile: values.IDEM_DOCUMENT_ATTACKS === undefined ? undefined : resolve(values.IDEM_DOCUMENT_ATTACKS),
  modelsFolder: values.IDEM_DOCUMENT_MODELS === undefined ? undefined : resolve(values.IDEM_DOCUMENT_MODELS),
  policyFile: values.IDEM_DOCUMENT_POLICY === undefined ? undefined : resolve(values.IDEM_DOCUMENT_POLICY),
  picturesKeptMs: values.IDEM_PICTURE_DAYS * 86_400_000,
  numbersKeptMs: values.IDEM_DOCUMENT_NUMBER_DAYS * 86_400_000,
});

/** What a provider needs is there: values that miss it are refused before they come here. */
const arrangeMorphology = (values: Variables) =>
  values.IDEM_MORPHOLOGY === "local"
    ? ({ provider: "local" } as const)
    : ({
        provider: values.IDEM_MORPHOLOGY,
        access: {
          baseUrl: values.IDEM_MORPHOLOGY_URL ?? "",
          apiKey: values.IDEM_MORPHOLOGY_KEY ?? "",
          sharedSecret: values.IDEM_MORPHOLOGY_SECRET ?? "",
          timeoutMs: values.IDEM_MORPHOLOGY_TIMEOUT_MS,
        },
        givenUpAfterMs: values.IDEM_MORPHOLOGY_FAILING_MINUTES * 60_000,
      } as const);

/** Rates of one-to-many search: what a person looks at may be ten times as wrong as what turns somebody away. */
const arrangePeople = (values: Variables) =>
  ({
    templateWithoutPicture: values.IDEM_TEMPLATE_WITHOUT_PICTURE ? "accepted" : "refused",
    search: {
      duplicates: values.IDEM_DUPLICATES,
      fpir: {
        refusal: values.IDEM_SEARCH_FALSE_HITS / 10_000,
        review: values.IDEM_SEARCH_FALSE_HITS / 1_000,
      },
    },
  }) as const;

/** Templates are kept by integrators for years; tracking lasts as long as an operation may. */
const tokenAges = (pictureMs: number) => ({
  "best-image": pictureMs,
  "face-image": pictureMs,
  "document-image": pictureMs,
  ocr: pictureMs,
  tracking: 86_400_000,
  template: null,
});

const arrangeS3 = (values: Variables) =>
  values.IDEM_S3_BUCKET === undefined
    ? undefined
    : {
        bucket: values.IDEM_S3_BUCKET,
        prefix: values.IDEM_S3_PREFIX,
        endpoint: values.IDEM_S3_ENDPOINT,
        region: values.IDEM_S3_REGION,
        accessKeyId: values.IDEM_S3_ACCESS_KEY_ID,
        secretAccessKey: values.IDEM_S3_SECRET_ACCESS_KEY,
      };

const keyBytes = (value: string | undefined): Uint8Array | undefined =>
  value === undefined ? undefined : parseMasterKey(value);
