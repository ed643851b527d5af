import { Type } from "typebox";

const number = (minimum: number, maximum: number, standard: number, description: string) =>
  Type.Integer({ minimum, maximum, default: standard, description });
const secret = (description: string, shape = "a text") =>
  Type.Optional(Type.String({ minLength: 1, secret: true, shape, description }));
const text = (description: string, shape = "a text") =>
  Type.Optional(Type.String({ minLength: 1, shape, description }));

/** The false-match rates that an operator may choose. */
export const falseMatchRates = ["1e-1", "1e-2", "1e-3", "1e-4"] as const;

const falseMatchRate = (pair: string) =>
  Type.Enum([...falseMatchRates], {
    default: "1e-2",
    description: `Strangers who may pass for one person, of ${pair}, in the group of people for which it is highest. Beside the cohort that ships it is over all people from a third (1e-1) to a twenty-fifth (1e-3) of that. 1e-1 only where an own measurement shows that it holds: docs/guides/faces.md.`,
  });

/**
 * Every variable that the service reads, with meaning, default and bounds. A `secret` may also be given as
 * `NAME_FILE`, the path of a file that holds it. A `shape` says in words what a pattern or `config-shapes.ts` asks.
 * `docs/guides/configuration.md` is written from this schema.
 */
export const variables = Type.Object({
  IDEM_MODE: Type.Enum(["development", "production"], {
    default: "development",
    description: "`production` refuses development secrets and makes no key or tenant by itself.",
  }),
  IDEM_HOST: Type.String({
    minLength: 1,
    default: "127.0.0.1",
    shape: "an IP address or a host name",
    description: "Address to listen on.",
  }),
  IDEM_PORT: number(0, 65535, 8080, "Port to listen on; 0 takes a free one."),
  IDEM_BEHIND_TLS: Type.Boolean({
    default: false,
    description:
      "Says that a proxy in front ends TLS. Production needs it to listen on any address but loopback.",
  }),
  IDEM_PUBLIC_URL: text(
    "Address under which callers reach the service.",
    "an http or https URL without a slash at the end",
  ),
  IDEM_TRUSTED_PROXIES: text(
    "Proxies whose X-Forwarded-For is believed.",
    "IP addresses, ranges such as 10.0.0.0/8, loopback, linklocal or uniquelocal, comma-separated",
  ),
  IDEM_METRICS_TOKEN: secret("Bearer token for /metrics. Absent: open in development, closed in production."),
  IDEM_DATA: Type.String({
    minLength: 1,
    default: "./.idem",
    description: "Directory of the embedded store, blobs and keys; made when absent, for its owner only.",
  }),
  IDEM_DATABASE_URL: secret(
    "PostgreSQL URL (`postgres://…`). Absent: the embedded store in `IDEM_DATA`.",
    "a URL that begins with postgres://",
  ),
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
    "32 random bytes in Base64 (`openssl rand -base64 32`): wraps every data key. Development makes one when absent.",
  ),
  IDEM_MASTER_KEY_PREVIOUS: secret("The master key before a rotation: still opens what it wrapped."),
  IDEM_WORKERS: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 256, description: "Inference threads. Absent: one per core." }),
  ),
  IDEM_QUEUE_MAX: number(
    1,
    10_000,
    64,
    "Inference work that may wait; more is answered 503 with Retry-After.",
  ),
  IDEM_BODY_BYTES_MAX: number(
    65_536,
    268_435_456,
    37_748_736,
    "Largest request body: holds two of the largest pictures in Base64.",
  ),
  IDEM_IMAGE_BYTES_MAX: number(65_536, 104_857_600, 12_582_912, "Largest encoded picture."),
  IDEM_IMAGE_PIXELS_MAX: number(
    1_000_000,
    268_435_456,
    50_331_648,
    "Most pixels of a picture, before decoding; the default is 8192 x 6144.",
  ),
  IDEM_REQUEST_TIMEOUT_MS: number(100, 600_000, 30_000, "Time a call may take before it is answered 504."),
  IDEM_DRAIN_MS: number(0, 600_000, 20_000, "Time that running calls get to finish after SIGTERM."),
  IDEM_PICTURE_DAYS: number(
    0,
    3_650,
    30,
    "Days that the pictures of a decided document validation are kept; 0 removes them within two hours. Its decision and data stay.",
  ),
  IDEM_DOCUMENT_ATTACKS: text(
    "File that `idem train document-attacks` made of your own pictures: how much each trace of an attack on a document counts; a copy of it for every process. Absent: what was measured for this release.",
    "a path",
  ),
  IDEM_DOCUMENT_MODELS: text(
    "Folder of your own models of documents, YAML files as `idem document lint` takes them, which are read beside those that ship (docs/guides/document-models.md); a copy of it for every process. Absent: those that ship.",
    "a path",
  ),
  IDEM_DOCUMENT_POLICY: text(
    "JSON file with rules and figures of document validation in place of the built-in ones (docs/guides/deciding.md); a copy of it for every process. Absent: the built-in ones.",
    "a path",
  ),
  IDEM_PEP_LIST: text(
    "File of a list of politically exposed persons that `idem pep import` made; a copy of it for every process. Whoever could be on it is decided by a person (126). Absent: nobody is looked up.",
    "a path",
  ),
  IDEM_MORPHOLOGY: Type.Enum(["local", "veriff"], {
    default: "local",
    description:
      "Who judges documents: this service (`local`), or a provider outside that speaks the session API of Veriff (`veriff`). The pictures then leave this house: docs/guides/deciding.md.",
  }),
  IDEM_MORPHOLOGY_URL: text(
    "Address of that provider, such as `https://stationapi.veriff.com`.",
    "an http or https URL without a slash at the end",
  ),
  IDEM_MORPHOLOGY_KEY: secret("API key of your integration at that provider (X-AUTH-CLIENT)."),
  IDEM_MORPHOLOGY_SECRET: secret("Shared secret of that integration, which signs every call."),
  IDEM_MORPHOLOGY_TIMEOUT_MS: number(
    100,
    300_000,
    30_000,
    "Time that the provider may take to begin the answer to one call, and as long again to end it.",
  ),
  IDEM_MORPHOLOGY_FAILING_MINUTES: number(
    0,
    1_440,
    60,
    "Minutes for which a provider that does not answer is asked again, before the validation ends FAILED (648). A provider that is undecided is waited for as long as the policy of documents says.",
  ),
  IDEM_LEASE_MS: number(
    1_000,
    600_000,
    60_000,
    "Time after which the validation of a dead worker is taken over.",
  ),
  IDEM_TOKEN_AGE_SECONDS: number(1, 86_400, 600, "Greatest age of tokens that carry a picture or readings."),
  IDEM_TOKEN_AHEAD_SECONDS: number(0, 3_600, 120, "How far the clock of a sealing device may run ahead."),
  IDEM_FMR_SELFIE: falseMatchRate("two selfies, or a template and a selfie"),
  IDEM_FMR_DOCUMENT: falseMatchRate("a document's portrait and a selfie"),
  IDEM_FMR_REGISTRY: falseMatchRate("a civil registry's photograph and a selfie"),
  IDEM_FACE_COHORT: text(
    "File of a cohort that `idem cohort build` made of faces like those of your users; a copy of it for every process. It holds at once for users who are registered already. Absent: the one that ships, of generated faces.",
    "a path",
  ),
  IDEM_ADVISORY_LIVENESS: Type.Enum(["refused", "accepted"], {
    default: "refused",
    description:
      "Whether production may start with advisory liveness, that is without a trained model in the liveness slot (`idem models use`). What that is worth: `docs/guides/liveness.md`.",
  }),
  IDEM_LIVENESS_FUSION: text(
    "File that `idem train liveness` made of your own pictures: how much each cue of an attack counts; a copy of it for every process. Absent: the one that ships, of generated frames.",
    "a path",
  ),
  IDEM_TEMPLATE_WITHOUT_PICTURE: Type.Boolean({
    default: false,
    description:
      "Says that authenticateUser may take a template in place of a best image. It shows no picture, so that nobody judges its liveness.",
  }),
  IDEM_DUPLICATES: Type.Enum(["off", "flag", "refuse"], {
    default: "off",
    description:
      "What becomes of a face that is registered under another identifier already: nobody looks (`off`), it is noted (`flag`), or it is not enrolled (`refuse`). Whoever looks holds every template open in memory.",
  }),
  IDEM_SEARCH_FALSE_HITS: number(
    1,
    1_000,
    100,
    "Of 10,000 one-to-many searches for somebody who is not there, how many may turn that person away; ten times as many may be noted. The fewer, the more duplicates are missed. Counted over people of many kinds: among people of one kind five times as often in a gallery of a hundred, some fifty times in one of a thousand and more beyond, less beside IDEM_FACE_COHORT (docs/guides/registered-users.md). An added recogniser is counted in its worst group.",
  ),
  IDEM_DOCUMENT_NUMBER_DAYS: number(
    0,
    3_650,
    0,
    "Days for which the number of an approved document is kept as a keyed hash with one of merchantIdScanReference, to tell a number that comes again for another customer (reason 110). 0 keeps none.",
  ),
  IDEM_RATE_PER_SECOND: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description:
        "Cost units that each API key gets back every second (a status query costs 1, an identity call 4); more is answered 429. Absent: no limit.",
    }),
  ),
  IDEM_RATE_BURST: number(1, 1_000_000, 200, "Cost units that a key may spend at once, where a rate is set."),
  IDEM_DEFAULT_COUNTRY: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 3,
      pattern: "^[A-Z]{3}$",
      shape: "the three capital letters of a country (ISO 3166-1 alpha-3)",
      description: "Country of documents whose call names none.",
    }),
  ),
  IDEM_EGRESS_ALLOW: text(
    "Addresses outside of the public internet that calls of this service may reach, such as a mirror of models; plain http goes to loopback ones among them only. Absent: public addresses over https alone.",
    "IP addresses or ranges such as 10.0.0.0/8, comma-separated",
  ),
  IDEM_EGRESS_PROXY: secret(
    "HTTP proxy for calls of this service to the outside, which then must itself refuse private addresses.",
    "a URL that begins with http://",
  ),
  IDEM_LOG_LEVEL: Type.Enum(["fatal", "error", "warn", "info", "debug", "silent"], {
    default: "info",
    description: "Least severe log line that is written.",
  }),
});
