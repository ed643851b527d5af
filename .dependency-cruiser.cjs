// Which module may import which (ARCHITECTURE.md, "Modules"). Tests may cross modules; product code may not.
const { readdirSync } = require("node:fs");
const { join } = require("node:path");

/** Modules that join others: they may import values from anywhere below them. */
const joining = ["app", "cli", "evaluation"];
const modules = readdirSync(join(__dirname, "src"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !joining.includes(entry.name))
  .map(({ name }) => name);

const test = "\\.test\\.ts$|-suite\\.ts$|/testing/";
const value = { dependencyTypesNot: ["type-only"] };
/**
 * Modules without knowledge of the service: every module may import values from them. `presentation-attack` is pure
 * arithmetic over cues and imports only the first two.
 */
const shared = "contract|statistics|presentation-attack|asn1";
/** Pure builders of transaction records and steps: every module but http may import values from this file. */
const recordCall = "^src/transactions/record-call\\.ts$";

const forbid = (name, from, to) => ({ name, severity: "error", from: { pathNot: test, ...from }, to });

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    ...["contract", "statistics", "asn1"].map((module) =>
      forbid(
        `${module}-imports-no-other-module`,
        { path: `^src/${module}/` },
        { path: "^src/", pathNot: `^src/${module}/` },
      ),
    ),
    forbid(
      "presentation-attack-imports-contract-and-statistics-only",
      { path: "^src/contract/presentation-attack/" },
      { path: "^src/", pathNot: "^src/(presentation-attack|contract|statistics)/" },
    ),
    ...modules.map((module) =>
      forbid(
        `${module}-imports-other-modules-as-types`,
        { path: `^src/${module}/`, pathNot: `^src/${module}/store/|${test}` },
        { path: "^src/", pathNot: `^src/(${module}|${shared})/|${recordCall}`, ...value },
      ),
    ),
    forbid(
      "record-call-stays-pure",
      { path: recordCall },
      { path: ".", pathNot: "^src/contract/|^src/record/transactions/(record|operation-step)\\.ts$" },
    ),
    // Tables of a module: a command of one writes its transaction record, evidence and blobs in the same commit.
    forbid(
      "a-module-store-imports-shared-rows-only",
      { path: "^src/([^/]+)/store/", pathNot: `^src/transactions/store/step-store\\.ts$|${test}` },
      {
        path: "^src/",
        pathNot: `^src/($1|${shared})/|^src/record/transactions/store/(step|transaction)-store\\.ts$|^src/machine/storage/(blob-store|data-key-lock|list-place|rights/(door|chain-head))\\.ts$|^src/jobs/store/job-lease\\.ts$|${recordCall}`,
        ...value,
      },
    ),
    // A step writes evidence, the rows of its operation, and the deliveries of its events.
    forbid(
      "a-step-writes-operations-and-deliveries",
      { path: "^src/transactions/store/step-store\\.ts$" },
      {
        path: "^src/",
        pathNot: `^src/(transactions|${shared})/|^src/(tracking/store/write-operation|webhooks/store/fan-out|storage/rights/chain-head)\\.ts$`,
        ...value,
      },
    ),
    forbid(
      "the-step-alone-writes-operations-and-deliveries",
      { path: "^src/", pathNot: `^src/transactions/store/step-store\\.ts$|${test}` },
      {
        path: "^src/(tracking/store/write-operation|webhooks/store/fan-out)\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    ),
    // Its session comes with every command.
    forbid(
      "a-module-store-opens-no-database",
      { path: "^src/[^/]+/store/" },
      { path: "node_modules/(better-sqlite3|pg|kysely|@aws-sdk)/", ...value },
    ),
    // Types included: the tables and commands of the modules come as arguments. A key is destroyed with a step.
    forbid(
      "storage-knows-no-module",
      { path: "^src/machine/storage/" },
      { path: "^src/", pathNot: `^src/(storage|${shared})/|^src/transactions/record\\.ts$|${recordCall}` },
    ),
    // Modules and commands of the operator name the commands that they use.
    forbid(
      "only-the-composition-names-the-whole-store",
      // The measurement of the store runs its commands in transactions of many.
      { path: "^src/", pathNot: `^src/app/|^src/cli/bench/store|${test}` },
      { path: "^src/app/store(-commands)?\\.ts$" },
    ),
    forbid(
      "http-imports-no-product-module",
      { path: "^src/machine/http/" },
      { path: "^src/", pathNot: `^src/(http|${shared})/` },
    ),
    forbid(
      "product-does-not-know-its-composition",
      { path: "^src/", pathNot: `^src/(app|cli)/|${test}` },
      { path: "^src/(app|cli)/" },
    ),
    forbid(
      "product-does-not-know-its-evaluation",
      {
        path: "^src/",
        pathNot: `^src/(evaluation|cli)/|^src/app/(evaluation|recogniser-evaluation)\\.ts$|${test}`,
      },
      { path: "^src/evaluation/" },
    ),
    // Document: values <- reading <- decision <- validation <- http, types included.
    forbid(
      "document-values-are-the-base",
      { path: "^src/judging/document/values/" },
      { path: "^src/judging/document/", pathNot: "^src/judging/document/values/" },
    ),
    forbid(
      "document-reading-does-not-decide",
      { path: "^src/judging/document/reading/" },
      { path: "^src/judging/document/", pathNot: "^src/judging/document/(values|reading)/" },
    ),
    forbid(
      "document-decision-does-not-schedule",
      { path: "^src/judging/document/decision/" },
      { path: "^src/judging/document/(validation|http)/" },
    ),
    forbid(
      "document-validation-does-not-serve",
      { path: "^src/judging/document/validation/" },
      { path: "^src/judging/document/http/" },
    ),
    // Signing: pdf <- keys, revocation <- pades <- verify <- evidence <- http, types included. Ports and asks are the base.
    ...[
      ["asks", "asks"],
      ["pdf", "pdf"],
      ["keys", "keys|revocation"],
      ["revocation", "revocation"],
      ["pades", "pades|pdf|keys|revocation"],
      ["verify", "verify|pades|pdf|keys|revocation"],
      ["evidence", "evidence|verify|pades|pdf|keys|revocation|store"],
    ].map(([part, known]) =>
      forbid(
        `signing-${part}-knows-the-parts-before-it`,
        { path: `^src/features/signing/${part}/` },
        { path: "^src/features/signing/", pathNot: `^src/features/signing/((${known})/|ports\\.ts$)` },
      ),
    ),
    forbid(
      "only-signing-pdf-imports-libpdf",
      // The measurement signs with the library itself, too.
      { path: "^src/", pathNot: `^src/features/signing/pdf/|^src/cli/bench/signing|${test}` },
      { path: "node_modules/@libpdf/" },
    ),
    forbid(
      "only-signing-keys-imports-certificate-libraries",
      { path: "^src/", pathNot: `^src/trust/signers/|${test}` },
      { path: "node_modules/(@peculiar/x509|pkijs|pkcs11js)/" },
    ),
    // The page's code runs in browsers: of ours it imports texts, and the container that it writes.
    forbid(
      "widget-imports-what-a-browser-can-run",
      { path: "^widget/" },
      {
        path: "^src/",
        pathNot:
          "^src/contract/(guidance|capture|capture-texts|followed-url|capture-problem-texts|verification-code)\\.ts$|^src/judging/face/challenge/(container|container-signature|write-container)\\.ts$",
      },
    ),
    forbid("widget-imports-no-node", { path: "^widget/" }, { dependencyTypes: ["core"] }),
    forbid("service-imports-no-widget", { path: "^src/" }, { path: "^widget/" }),
    forbid(
      "only-storage-opens-a-database",
      { path: "^src/", pathNot: `^src/(storage|[^/]+/store)/|${test}` },
      { path: "node_modules/(better-sqlite3|pg|kysely|@aws-sdk)/" },
    ),
    forbid(
      "only-imaging-imports-sharp",
      { path: "^src/", pathNot: `^src/machine/imaging/|${test}` },
      { path: "node_modules/sharp/" },
    ),
    // Signing: pdf is the base, types included.
    forbid(
      "signing-pdf-is-the-base",
      { path: "^src/features/signing/pdf/" },
      { path: "^src/features/signing/", pathNot: "^src/features/signing/(pdf/|ports\\.ts$)" },
    ),
    forbid(
      "only-inference-imports-onnxruntime",
      { path: "^src/", pathNot: `^src/machine/networks/|${test}` },
      { path: "node_modules/onnxruntime-node/" },
    ),
    forbid(
      "only-threads-imports-piscina",
      { path: "^src/", pathNot: `^src/machine/threads/|${test}` },
      { path: "node_modules/piscina/" },
    ),
    forbid(
      "only-tabular-imports-csv-parse",
      { path: "^src/", pathNot: `^src/contract/tabular/|${test}` },
      { path: "node_modules/csv-parse/" },
    ),
    forbid(
      "only-egress-imports-an-http-client",
      // broken-request.ts takes the table of status texts alone; the simulators are servers.
      {
        path: "^src/",
        pathNot: `^src/machine/egress/|^src/cli/|^src/sandbox/|^src/http/broken-request\\.ts$|${test}`,
      },
      { path: "^(undici|http|https|node:http|node:https)$", ...value },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".js", ".mjs", ".cjs", ".json"],
    },
    tsConfig: { fileName: "tsconfig.json" },
  },
};
