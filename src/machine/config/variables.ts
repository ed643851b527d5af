import { Type } from "typebox";
import { captureVariables } from "./capture-variables.ts";
import { clearingEntityVariables } from "./clearing-entity-variables.ts";
import { clearingVariables } from "./clearing-variables.ts";
import { deliveryVariables } from "./delivery-variables.ts";
import { documentVariables } from "./document-variables.ts";
import { egressVariables } from "./egress-variables.ts";
import { logVariables } from "./log-variables.ts";
import { operationVariables } from "./operation-variables.ts";
import { registryVariables } from "./registry-variables.ts";
import { signingVariables } from "./signing-variables.ts";
import { storageVariables } from "./storage-variables.ts";
import { number, secret, text } from "./variable-kinds.ts";

/** The false-match rates that an operator may choose. */
export const falseMatchRates = ["1e-1", "1e-2", "1e-3", "1e-4"] as const;

const falseMatchRate = (pair: string) =>
  Type.Enum([...falseMatchRates], {
    default: "1e-2",
    description: `False match rate (FMR) for ${pair}, in the demographic group with the highest FMR; over all people it is lower (table in docs/guides/understand/faces.md). Use 1e-1 only where your own measurement confirms it.`,
  });

const levelMin = (calls: string) =>
  Type.Optional(
    Type.Enum(["passive", "captured", "active-turn"], {
      description: `Least level of assurance of a best image in calls of ${calls}. \`passive\`: any. \`captured\`: the token of a capture session must have \`active-turn\`, other tokens are judged as they are. \`active-turn\`: every best image must come from a capture session with this level. Absent: \`captured\` in production, else \`passive\`. What a level means: \`docs/guides/understand/liveness.md\`.`,
    }),
  );

/**
 * Every variable that the service reads, with meaning, default and bounds. A `secret` may also be given as
 * `NAME_FILE`, the path of a file that holds it. A `shape` states in words the check of a pattern or of
 * `shapes.ts`. `docs/guides/operate/configuration.md` is generated from this schema.
 */
export const variables = Type.Object({
  IDEM_MODE: Type.Enum(["development", "production"], {
    default: "development",
    description: "`production` refuses development secrets and creates no key or tenant by itself.",
  }),
  IDEM_HOST: Type.String({
    minLength: 1,
    default: "127.0.0.1",
    shape: "an IP address or a host name",
    description: "Address to listen on.",
  }),
  IDEM_PORT: number(0, 65535, 8080, "Port to listen on; 0 selects a free port."),
  IDEM_BEHIND_TLS: Type.Boolean({
    default: false,
    description:
      "States that a proxy in front terminates TLS. Production needs it to listen on any address except loopback.",
  }),
  IDEM_PUBLIC_URL: text(
    "Address of the service for its callers, and base of the URLs in answers. Absent: the type of a problem names the address that the service listens on.",
    "an http or https URL without a slash at the end",
  ),
  IDEM_TRUSTED_PROXIES: text(
    "Proxies whose X-Forwarded-For is trusted.",
    "IP addresses, ranges such as 10.0.0.0/8, loopback, linklocal or uniquelocal, comma-separated",
  ),
  IDEM_METRICS_TOKEN: secret(
    "Bearer token for /metrics, in production of at least 16 characters. Absent: open in development, closed in production.",
  ),
  ...storageVariables,
  IDEM_S3_BUCKET: text("Bucket for encrypted blobs. Absent: files in `IDEM_DATA`."),
  IDEM_S3_PREFIX: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: "^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$",
      shape: "a path of letters, digits, - and _, without a slash at either end",
      description: "Path in the bucket, so that several deployments can share one. Absent: the whole bucket.",
    }),
  ),
  IDEM_S3_ENDPOINT: text("URL of an S3 server other than AWS.", "an http or https URL"),
  IDEM_S3_REGION: Type.String({ minLength: 1, default: "us-east-1", description: "Region of the bucket." }),
  IDEM_S3_ACCESS_KEY_ID: secret("Access key of the bucket."),
  IDEM_S3_SECRET_ACCESS_KEY: secret("Secret of that access key."),
  IDEM_MASTER_KEY: secret(
    "32 random bytes in Base64 (`openssl rand -base64 32`): wraps every data key. Development creates one when absent.",
  ),
  IDEM_MASTER_KEY_PREVIOUS: secret("The master key before a rotation: still opens the keys that it wrapped."),
  IDEM_WORKERS: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 256, description: "Inference threads. Absent: one per core." }),
  ),
  IDEM_QUEUE_MAX: number(
    1,
    10_000,
    64,
    "Inference tasks that may wait; further calls are answered 503 with Retry-After.",
  ),
  IDEM_BODY_BYTES_MAX: number(
    65_536,
    268_435_456,
    37_748_736,
    "Largest request body of any endpoint: holds two of the largest images in Base64. Each endpoint has its own limit, which follows from its fields (api/openapi.yaml).",
  ),
  IDEM_BODIES_IN_FLIGHT_BYTES: number(
    65_536,
    68_719_476_736,
    536_870_912,
    "Bytes of all request bodies from their arrival until the answer; further calls are answered 503 with Retry-After. A body with images takes about three times as much memory.",
  ),
  IDEM_BODIES_IN_FLIGHT_BYTES_PER_KEY: number(
    65_536,
    68_719_476_736,
    268_435_456,
    "The same for the bodies of one API key, so that no caller takes all of them.",
  ),
  IDEM_IMAGE_BYTES_MAX: number(65_536, 104_857_600, 12_582_912, "Largest encoded image."),
  IDEM_IMAGE_PIXELS_MAX: number(
    1_000_000,
    268_435_456,
    50_331_648,
    "Most pixels of an image, before decoding; the default is 8192 x 6144.",
  ),
  IDEM_REQUEST_TIMEOUT_MS: number(
    100,
    600_000,
    30_000,
    "Longest time of a call before it is answered 504. A capture page waits 40 s: with more here, it takes a slow answer for a lost connection.",
  ),
  IDEM_DRAIN_MS: number(0, 600_000, 20_000, "Time for running calls to finish after SIGTERM."),
  IDEM_DRAIN_NOTICE_MS: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 120_000,
      description:
        "Time before that in which `/readyz` is answered 503 and new calls still run: longer than a balancer takes to notice. Absent: 3000 in production, else 0.",
    }),
  ),
  IDEM_IDEMPOTENCY_HOURS: number(
    1,
    168,
    24,
    "Hours for which the answer to a call with an Idempotency-Key is kept, sealed, for its retries (docs/guides/integrate/retries.md).",
  ),
  IDEM_MERCHANT_REFERENCE_MINUTES: number(
    0,
    1_440,
    10,
    "Minutes in which a start of document validation with the same bytes and the same merchantIdScanReference counts as a retry: it gets the same scanReference. 0: never.",
  ),
  IDEM_PICTURE_DAYS: number(
    0,
    3_650,
    30,
    "Days for which images are kept: of a decided document validation, and of an operation (selfie, document sides, portrait). 0 removes those of a validation within two hours and keeps none of operations, so that events link to no image. Decisions and data stay.",
  ),
  IDEM_TRANSACTION_DAYS: number(
    1,
    36_500,
    400,
    "Days for which the record of an answered call is kept: result, sealed measurements, versions. `idem replay` and `detokenize` need it. It must be longer than IDEM_IDEMPOTENCY_HOURS and IDEM_MERCHANT_REFERENCE_MINUTES: the record shows that a call was carried out. The default is 13 months, for complaints about a payment (Directive (EU) 2015/2366, Article 71).",
  ),
  IDEM_VALIDATION_DAYS: number(
    1,
    36_500,
    1_825,
    "Days after its decision for which a document validation is kept, with its sealed data; afterwards `status` and `data` answer 404. Its images go with it at the latest. The default is five years (FATF Recommendation 11).",
  ),
  IDEM_SCRUB_BYTES_PER_SECOND: number(
    0,
    1_000_000_000,
    1_048_576,
    "Bytes of stored objects that the service reads in a second to compare each object with its length and hash, in a round a week; 0 switches it off. One process of a deployment does it (docs/guides/operate/backup.md, 'Damage').",
  ),
  IDEM_EVIDENCE_DAYS: number(
    1,
    36_500,
    1_825,
    "Days for which the bodies of evidence are kept. The chain itself and receipts stay for ever, and the chain stays verifiable (docs/guides/understand/evidence.md).",
  ),
  IDEM_ANCHOR_HOURS: number(
    1,
    168,
    24,
    "Hours between two anchors of a growing evidence chain: an entry in `evidence-heads.jsonl`, a log line, and a time-stamp where IDEM_TIMESTAMP_URL is set.",
  ),
  IDEM_TIMESTAMP_URL: text(
    "Time-stamping authorities (RFC 3161) that stamp the heads of the evidence chains and signed documents, such as `https://tsa.example/tsr`. If one fails, the next is asked. Absent: no time-stamps of evidence, and signatures with those of the development authority, which production refuses.",
    "http or https URLs, comma-separated",
  ),
  IDEM_TIMESTAMP_CA: text(
    "PEM file with the root certificates of those authorities. A time-stamp of another signer is refused.",
    "a path",
  ),
  IDEM_TIMESTAMP_AUTHORIZATION: secret(
    "Value of the Authorization header for that authority, such as `Basic dXNlcjpwYXNz`. For several authorities one value for each, comma-separated, with `-` for none. Absent: none.",
    "words of printable ASCII characters with one space between them",
  ),
  ...documentVariables,
  ...operationVariables,
  ...deliveryVariables,
  ...signingVariables,
  ...registryVariables,
  ...clearingVariables,
  ...clearingEntityVariables,
  ...captureVariables,
  IDEM_LEASE_MS: number(
    1_000,
    600_000,
    45_000,
    "Time after which another worker takes over the validation of a dead worker; it looks for such validations every 4 to 6 seconds. A living worker renews its lease three times in this time.",
  ),
  IDEM_TOKEN_AGE_SECONDS: number(
    1,
    86_400,
    600,
    "Greatest age of tokens with an image or readings. A face image that is the reference of a comparison has no limit.",
  ),
  IDEM_TOKEN_AHEAD_SECONDS: number(
    0,
    3_600,
    120,
    "Longest time by which the clock of a sealing device may run ahead.",
  ),
  IDEM_BEST_IMAGE_TOKEN_USES: Type.Enum(["operation", "once", "many"], {
    default: "operation",
    description:
      "Calls that may judge one best image. `operation`: one call of each kind (liveness, identity, authenticateUser) of one operation, and the same request again gets the stored answer. `once`: one call. `many`: any calls until the token expires, so a copied request works again (docs/guides/integrate/retries.md).",
  }),
  IDEM_OPEN_IMAGES: Type.Enum(["refused", "accepted"], {
    default: "refused",
    description:
      "Whether live keys may send a plain image (JPEG, PNG, WebP, AVIF) where a token is asked, as test keys may. Nothing then shows that the image comes from a capture page, and an image that is encoded anew is a new one. The transaction names it unsealed.",
  }),
  IDEM_FMR_SELFIE: falseMatchRate("two selfies, or a template and a selfie"),
  IDEM_FMR_DOCUMENT: falseMatchRate("a document's portrait and a selfie"),
  IDEM_FMR_REGISTRY: falseMatchRate("a civil registry's photograph and a selfie"),
  IDEM_FACE_COHORT: text(
    "Cohort for score normalisation, made by `idem cohort build` from faces like those of your users. Every process needs a copy. It applies at once to registered users. Absent: the shipped cohort of generated faces.",
    "a path",
  ),
  IDEM_ADVISORY_LIVENESS: Type.Enum(["refused", "accepted"], {
    default: "refused",
    description:
      "Whether production may start with advisory liveness, that is without a trained model in the liveness slot (`idem models use`). Its error rates: `docs/guides/understand/liveness.md`.",
  }),
  IDEM_ONE_IMAGE_LIVENESS: Type.Enum(["review", "accepted"], {
    default: "review",
    description:
      "What a verification does with a live selfie of a capture session whose liveness rests on one image alone (level `unsealed`, `advisory` or `model` of its record: no challenge, no movement). `review`: it ends with the decision `review` and the reason `one_image_liveness`, and a person of the integrator decides. `accepted`: it counts as any other selfie. Error rates of one image: `docs/guides/understand/liveness.md`.",
  }),
  IDEM_LIVENESS_LEVEL_MIN_IDENTITY: levelMin("identity"),
  IDEM_LIVENESS_LEVEL_MIN_AUTHENTICATE_USER: levelMin("authenticateUser"),
  IDEM_LIVENESS_LEVEL_MIN_LIVENESS: levelMin("evaluatePassiveLiveness and evaluatePassiveLivenessToken"),
  IDEM_LIVENESS_FUSION: text(
    "File that `idem train liveness` made from your own images: the weight of each cue of an attack. Every process needs a copy. Absent: the shipped weights, from generated frames.",
    "a path",
  ),
  IDEM_TEMPLATE_WITHOUT_PICTURE: Type.Boolean({
    default: false,
    description:
      "Allows authenticateUser to accept a template in place of a best image. A template holds no image, so its liveness is not judged.",
  }),
  IDEM_USER_REFERENCES: number(
    1,
    3,
    1,
    "References of a registered user. With 2 or 3 the face of a sure login joins the registered template, at most one a day: docs/guides/integrate/registered-users.md.",
  ),
  IDEM_TEMPLATE_WITHOUT_TENANT: Type.Boolean({
    default: true,
    description:
      "Accepts templates that name no tenant: those that releases up to 0.1.0 made, and those sealed outside Idem. A tenant that obtains such a template of another tenant can use it. `false` refuses them (`token_unreadable`): docs/guides/integrate/registered-users.md.",
  }),
  IDEM_DUPLICATES: Type.Enum(["off", "flag", "refuse"], {
    default: "off",
    description:
      "Deduplication of a face that is registered under another identifier already: no search (`off`), a note (`flag`), or no enrolment (`refuse`). The search holds every opened template in memory.",
  }),
  IDEM_SEARCH_FALSE_HITS: number(
    1,
    1_000,
    100,
    "False positive identifications (FPIR) per 10,000 one-to-many searches for a person who is not enrolled; ten times as many may be noted. A lower value misses more duplicates. Measured over a mixed population: within one demographic group five times as many in a gallery of a hundred, some fifty times in a gallery of a thousand and more beyond, fewer with IDEM_FACE_COHORT (docs/guides/integrate/registered-users.md). For an added recogniser the worst group counts.",
  ),
  IDEM_DOCUMENT_NUMBER_DAYS: number(
    0,
    3_650,
    0,
    "Days for which the number of an approved document is kept as a keyed hash with one of merchantIdScanReference, to detect the same number for another customer (reason 110). 0 keeps none.",
  ),
  IDEM_RATE_PER_SECOND: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description:
        "Cost units that each API key regains every second (a status query costs 1, an identity call 4); further calls are answered 429. Processes on one PostgreSQL share the limit of a key. Absent: no limit.",
    }),
  ),
  IDEM_RATE_BURST: number(1, 1_000_000, 200, "Cost units that a key may spend at once, with a rate set."),
  IDEM_DEFAULT_COUNTRY: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 3,
      pattern: "^[A-Z]{3}$",
      shape: "the three capital letters of a country (ISO 3166-1 alpha-3)",
      description: "Country of documents for calls that name none.",
    }),
  ),
  IDEM_REASON_CODES: Type.Enum(["interface", "extended"], {
    default: "interface",
    description:
      "Codes of verification.reasonCode of document validations. interface: the 91 codes of the interface alone, with the exact code in additionalReasonCodes where it is another one. extended: the exact code in front (api/reason-codes.md).",
  }),
  ...egressVariables,
  ...logVariables,
});
