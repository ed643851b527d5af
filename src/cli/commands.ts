import type { ListedCommand } from "./command.ts";

/** All commands after `idem`, by the headings of the overview and in its order. */
export const commandGroups: Readonly<Record<string, Readonly<Record<string, ListedCommand>>>> = {
  "Try it": {
    demo: {
      summary: "onboard five persons over HTTP and print each step",
      load: async () => (await import("./demo/demo.command.ts")).demo,
    },
    verify: {
      summary: "verify a person by selfie and document, without a service",
      load: async () => (await import("./local/verify.command.ts")).verify,
    },
    compare: {
      summary: "compare two faces, without a service",
      load: async () => (await import("./local/compare.command.ts")).compare,
    },
    read: {
      summary: "read a document, without a service",
      load: async () => (await import("./local/read.command.ts")).read,
    },
    liveness: {
      summary: "judge the liveness of an image, without a service",
      load: async () => (await import("./local/liveness.command.ts")).liveness,
    },
    personas: {
      summary: "list the subjects of tests for test keys, and write their images",
      load: async () => (await import("./personas/personas.command.ts")).personas,
    },
    sandbox: {
      summary: "start simulators of registries, clearing, OAuth, time-stamps and a receiver",
      load: async () => (await import("./sandbox/sandbox.command.ts")).sandbox,
    },
  },
  "Run the service": {
    serve: {
      summary: "run the service until SIGTERM or SIGINT",
      load: async () => (await import("./serve/serve.command.ts")).serve,
    },
    doctor: {
      summary: "check this machine and the settings",
      load: async () => (await import("./doctor/doctor.command.ts")).doctor,
    },
    migrate: {
      summary: "bring the store's tables up to this version",
      load: async () => (await import("./admin/migrate.command.ts")).migrate,
    },
    backup: {
      summary: "write an encrypted backup, while the service runs",
      load: async () => (await import("./backup/backup.command.ts")).backup,
    },
    restore: {
      summary: "check a backup, or restore it to an empty directory",
      load: async () => (await import("./backup/restore.command.ts")).restore,
    },
    store: {
      summary: "find damage of the store, copy damaged objects back from a backup",
      load: async () => (await import("./store-check/store.command.ts")).store,
    },
    bench: {
      summary: "measure identity, liveness, OCR and validation over HTTP",
      load: async () => (await import("./bench/bench.command.ts")).bench,
    },
    completion: {
      summary: "print the completion of commands and options for a shell",
      load: async () => (await import("./completion/completion.command.ts")).makeCompletion(commands),
    },
  },
  "Keys, callers and events": {
    keys: {
      summary: "create, import, list, renew and revoke API keys; rotate the master key",
      load: async () => (await import("./admin/keys.command.ts")).keys,
    },
    tenants: {
      summary: "list tenants, set the default country of one",
      load: async () => (await import("./admin/tenants.command.ts")).tenants,
    },
    tokens: {
      summary: "seal and open tokens, rotate the deployment's key",
      load: async () => (await import("./admin/tokens.command.ts")).tokens,
    },
    requests: {
      summary: "print the record of an answered call, with its figures",
      load: async () => (await import("./requests/requests.command.ts")).requests,
    },
    webhooks: {
      summary: "add, change, pause and remove destinations of events",
      load: async () => (await import("./webhooks/webhooks.command.ts")).webhooks,
    },
    events: {
      summary: "print events as they arrive at the mailbox, and make test events",
      load: async () => (await import("./events/events.command.ts")).events,
    },
    listen: {
      summary: "relay events of the mailbox to a receiver on this machine",
      load: async () => (await import("./events/listen.command.ts")).listen,
    },
  },
  "Persons, documents and institutions": {
    users: {
      summary: "show, enable or import registered users, block faces",
      load: async () => (await import("./users/users.command.ts")).users,
    },
    document: {
      summary: "check a document model, block documents known from fraud",
      load: async () => (await import("./documents/document.command.ts")).document,
    },
    pep: {
      summary: "import a list of politically exposed persons",
      load: async () => (await import("./documents/pep.command.ts")).pep,
    },
    registry: {
      summary: "import persons into the local civil registry, check a registry",
      load: async () => (await import("./registry/registry.command.ts")).registry,
    },
    clearing: {
      summary: "transfer through the clearing entity of pension funds",
      load: async () => (await import("./clearing/clearing.command.ts")).clearing,
    },
    export: {
      summary: "write the decisions of a time as CSV or JSON Lines, without personal data",
      load: async () => (await import("./export/export.command.ts")).exportDecisions,
    },
    erase: {
      summary: "make a tenant's stored personal data unreadable for ever",
      load: async () => (await import("./admin/erase.command.ts")).erase,
    },
  },
  "Evidence and signatures": {
    rights: {
      summary: "find keys, receivers and lists that were changed past the service",
      load: async () => (await import("./rights/rights.command.ts")).rights,
    },
    evidence: {
      summary: "verify and export the evidence chains, and bundles of operations",
      load: async () => (await import("./evidence/evidence.command.ts")).evidence,
    },
    sign: {
      summary: "sign a PDF with the deployment's key",
      load: async () => (await import("./sign/sign.command.ts")).sign,
    },
    signer: {
      summary: "check the key that signs, its certificate and the time-stamp authorities",
      load: async () => (await import("./sign/signer.command.ts")).signer,
    },
    extend: {
      summary: "add a fresh archive time-stamp to a signed PDF",
      load: async () => (await import("./sign/extend.command.ts")).extend,
    },
    "verify-pdf": {
      summary: "verify the signatures of PDF files",
      load: async () => (await import("./verify-pdf/verify-pdf.command.ts")).verifyPdfCommand,
    },
  },
  "Models and accuracy": {
    models: {
      summary: "add open models to the bundled models: fetch, check, use",
      load: async () => (await import("./models/models.command.ts")).models,
    },
    measure: {
      summary:
        "measure faces, documents, MRZs, location, document attacks, liveness or age on your own images",
      load: async () => (await import("./measure/measure.command.ts")).measure,
    },
    train: {
      summary: "fit weights on your own images",
      load: async () => (await import("./train/train.command.ts")).train,
    },
    cohort: {
      summary: "build a cohort of your own population",
      load: async () => (await import("./train/cohort.command.ts")).cohort,
    },
    replay: {
      summary: "re-judge stored calls under another policy",
      load: async () => (await import("./admin/replay.command.ts")).replay,
    },
    "compare-services": {
      summary: "replay recorded requests against another service and this one, and compare the answers",
      load: async () => (await import("./compare/compare-services.command.ts")).compareServices,
    },
  },
};

/** All commands by their names. */
export const commands: Readonly<Record<string, ListedCommand>> = Object.assign(
  {},
  ...Object.values(commandGroups),
);
