import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { Static } from "typebox";
import { itemsOf } from "./comma-list.ts";
import { mapCapture } from "./map-capture.ts";
import { mapClearing } from "./map-clearing.ts";
import { mapAuthorities, mapSigning } from "./map-signing.ts";
import { parseMasterKey } from "./master-key.ts";
import type { variables } from "./variables.ts";
import { findWeakSecrets } from "./weak-secrets.ts";

type Variables = Static<typeof variables>;

/** Maps the checked values of the environment to the names used in the code. */
export const mapVariables = (values: Variables) => ({
  mode: values.IDEM_MODE,
  dataDirectory: resolve(values.IDEM_DATA),
  dataWaitMs: values.IDEM_DATA_WAIT_MS,
  logLevel: values.IDEM_LOG_LEVEL,
  logFormat: values.IDEM_LOG_FORMAT,
  traces: mapTraces(values),
  http: mapHttp(values),
  idempotency: {
    keptMs: values.IDEM_IDEMPOTENCY_HOURS * 3_600_000,
    referenceKeptMs: values.IDEM_MERCHANT_REFERENCE_MINUTES * 60_000,
  },
  operations: mapOperations(values),
  delivery: {
    slots: values.IDEM_DELIVERY_SLOTS,
    inFlightMax: values.IDEM_DELIVERY_PER_DESTINATION,
  },
  reasonCodes: values.IDEM_REASON_CODES,
  defaultCountry: values.IDEM_DEFAULT_COUNTRY,
  databaseUrl: values.IDEM_DATABASE_URL,
  s3: mapS3(values),
  /** Absent only in development: the first start then creates a key in the data directory. */
  masterKey: keyBytes(values.IDEM_MASTER_KEY),
  masterKeyPrevious: keyBytes(values.IDEM_MASTER_KEY_PREVIOUS),
  /** Sentences about secrets that can be guessed; none in production, which refuses them. */
  weakSecrets: findWeakSecrets(values),
  inference: { workers: values.IDEM_WORKERS ?? availableParallelism(), queueMax: values.IDEM_QUEUE_MAX },
  images: { bytesMax: values.IDEM_IMAGE_BYTES_MAX, pixelsMax: values.IDEM_IMAGE_PIXELS_MAX },
  validation: mapValidation(values),
  evidence: mapEvidence(values),
  scrub: { bytesPerSecond: values.IDEM_SCRUB_BYTES_PER_SECOND },
  morphology: mapMorphology(values),
  signing: mapSigning(values),
  registries: {
    file: values.IDEM_REGISTRIES === undefined ? undefined : resolve(values.IDEM_REGISTRIES),
    checksDocuments: values.IDEM_REGISTRY_CHECK === "on",
  },
  clearing: mapClearing(values),
  capture: mapCapture(values),
  /** If absent, outside production the embedded authority stamps signatures, and nothing stamps evidence. */
  timestamps: mapAuthorities(values),
  egress: {
    allow: values.IDEM_EGRESS_ALLOW === undefined ? [] : itemsOf(values.IDEM_EGRESS_ALLOW),
    ...(values.IDEM_TEST_RECEIVERS !== undefined && {
      testReceivers: itemsOf(values.IDEM_TEST_RECEIVERS),
    }),
    ...(values.IDEM_EGRESS_PROXY !== undefined && { proxy: new URL(values.IDEM_EGRESS_PROXY) }),
  },
  faces: mapFaces(values),
  users: mapUsers(values),
  tokens: mapTokens(values),
});

/** If undefined, no call is recorded. */
const mapTraces = (values: Variables) =>
  values.IDEM_TRACES_URL === undefined
    ? undefined
    : {
        url: values.IDEM_TRACES_URL,
        percent: values.IDEM_TRACES_PERCENT,
        authorization: values.IDEM_TRACES_AUTHORIZATION,
      };

const mapFaces = (values: Variables) => ({
  falseMatchRates: {
    selfie: Number(values.IDEM_FMR_SELFIE),
    document: Number(values.IDEM_FMR_DOCUMENT),
    registry: Number(values.IDEM_FMR_REGISTRY),
  },
  advisoryLiveness: values.IDEM_ADVISORY_LIVENESS,
  oneImageLiveness: values.IDEM_ONE_IMAGE_LIVENESS,
  /** By the kind of the call; absent where the operator chose none. */
  livenessLevelMin: {
    identity: values.IDEM_LIVENESS_LEVEL_MIN_IDENTITY,
    authenticateUser: values.IDEM_LIVENESS_LEVEL_MIN_AUTHENTICATE_USER,
    liveness: values.IDEM_LIVENESS_LEVEL_MIN_LIVENESS,
  },
  fusionFile: values.IDEM_LIVENESS_FUSION === undefined ? undefined : resolve(values.IDEM_LIVENESS_FUSION),
  cohortFile: values.IDEM_FACE_COHORT === undefined ? undefined : resolve(values.IDEM_FACE_COHORT),
});

/** Our choice: three questions of a balancer that asks `/readyz` every second. */
const productionNoticeMs = 3_000;

const mapHttp = (values: Variables) => ({
  host: values.IDEM_HOST,
  port: values.IDEM_PORT,
  bodyBytesMax: values.IDEM_BODY_BYTES_MAX,
  bodiesInFlight: {
    bytesMax: values.IDEM_BODIES_IN_FLIGHT_BYTES,
    bytesPerKeyMax: values.IDEM_BODIES_IN_FLIGHT_BYTES_PER_KEY,
  },
  isBehindTls: values.IDEM_BEHIND_TLS,
  publicUrl: values.IDEM_PUBLIC_URL,
  trustedProxies:
    values.IDEM_TRUSTED_PROXIES === undefined ? undefined : itemsOf(values.IDEM_TRUSTED_PROXIES),
  metricsToken: values.IDEM_METRICS_TOKEN,
  requestTimeoutMs: values.IDEM_REQUEST_TIMEOUT_MS,
  drainMs: values.IDEM_DRAIN_MS,
  noticeMs: values.IDEM_DRAIN_NOTICE_MS ?? (values.IDEM_MODE === "production" ? productionNoticeMs : 0),
  rate:
    values.IDEM_RATE_PER_SECOND === undefined
      ? undefined
      : { perSecond: values.IDEM_RATE_PER_SECOND, burst: values.IDEM_RATE_BURST },
});

const mapTokens = (values: Variables) =>
  ({
    tokenBytesMax: values.IDEM_IMAGE_BYTES_MAX + 1024,
    aheadMsMax: values.IDEM_TOKEN_AHEAD_SECONDS * 1000,
    templateWithoutTenant: values.IDEM_TEMPLATE_WITHOUT_TENANT ? "accepted" : "refused",
    ageMsMax: tokenAges(values.IDEM_TOKEN_AGE_SECONDS * 1000),
    openImages: values.IDEM_OPEN_IMAGES,
    bestImageUses: values.IDEM_BEST_IMAGE_TOKEN_USES,
  }) as const;

const dayMs = 86_400_000;

const mapEvidence = (values: Variables) => ({
  transactionsKeptMs: values.IDEM_TRANSACTION_DAYS * dayMs,
  bodiesKeptMs: values.IDEM_EVIDENCE_DAYS * dayMs,
  anchorEveryMs: values.IDEM_ANCHOR_HOURS * 3_600_000,
  /** The first authority. */
  authority: firstAuthority(values),
});

const firstAuthority = (values: Variables) => {
  const { caFile, authorities: [first] = [] } = mapAuthorities(values) ?? {};
  return caFile === undefined || first === undefined ? undefined : { ...first, caFile };
};

const mapOperations = (values: Variables) => ({
  expiresAfterMs: values.IDEM_OPERATION_MINUTES * 60_000,
  keptMs: values.IDEM_OPERATION_DAYS * dayMs,
  imagesKeptMs: values.IDEM_PICTURE_DAYS * dayMs,
  vendor: values.IDEM_EVENT_VENDOR,
  assetLinkMs: values.IDEM_ASSET_LINK_MINUTES * 60_000,
});

const mapValidation = (values: Variables) => ({
  leaseMs: values.IDEM_LEASE_MS,
  pepFile: values.IDEM_PEP_LIST === undefined ? undefined : resolve(values.IDEM_PEP_LIST),
  attacksFile: values.IDEM_DOCUMENT_ATTACKS === undefined ? undefined : resolve(values.IDEM_DOCUMENT_ATTACKS),
  modelsFolder: values.IDEM_DOCUMENT_MODELS === undefined ? undefined : resolve(values.IDEM_DOCUMENT_MODELS),
  policyFile: values.IDEM_DOCUMENT_POLICY === undefined ? undefined : resolve(values.IDEM_DOCUMENT_POLICY),
  keptMs: values.IDEM_VALIDATION_DAYS * dayMs,
  imagesKeptMs: values.IDEM_PICTURE_DAYS * dayMs,
  numbersKeptMs: values.IDEM_DOCUMENT_NUMBER_DAYS * dayMs,
});

/** The settings of the provider are complete: incomplete values are refused before. */
const mapMorphology = (values: Variables) =>
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

/**
 * Rates of one-to-many search: the rate for a note to an operator may be ten times the rate for a refusal.
 */
const mapUsers = (values: Variables) =>
  ({
    templateWithoutImage: values.IDEM_TEMPLATE_WITHOUT_PICTURE ? "accepted" : "refused",
    references: { max: values.IDEM_USER_REFERENCES },
    search: {
      duplicates: values.IDEM_DUPLICATES,
      fpir: {
        refusal: values.IDEM_SEARCH_FALSE_HITS / 10_000,
        review: values.IDEM_SEARCH_FALSE_HITS / 1_000,
      },
    },
  }) as const;

/** Integrators keep templates for years; tracking lasts as long as an operation may. */
const tokenAges = (imageMs: number) => ({
  "best-image": imageMs,
  "face-image": imageMs,
  "document-image": imageMs,
  ocr: imageMs,
  tracking: 86_400_000,
  template: null,
});

const mapS3 = (values: Variables) =>
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
