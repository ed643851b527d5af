import type { ListedCommand } from "./command.ts";
import type { Words } from "./kit/action.ts";
import type { Works } from "./kit/make-command.ts";

/** A command from its words, and the work of it and its topics. Each part is loaded when it is needed. */
const command = <Of extends Words>(
  name: string,
  summary: string,
  words: () => Promise<Of>,
  works: Works<Of>,
): Readonly<Record<string, ListedCommand>> => ({
  [name]: {
    summary,
    load: async () => (await import("./kit/make-command.ts")).makeCommand(name, await words(), works),
  },
});

/** All commands after `idem`, by the headings of the overview and in its order. */
export const commandGroups: Readonly<Record<string, Readonly<Record<string, ListedCommand>>>> = {
  "Try it": {
    demo: {
      summary: "onboard six persons over HTTP and print each step",
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
    ...command(
      "keys",
      "create, import, list, renew and revoke API keys; rotate the master key",
      async () => (await import("./admin/keys.command.ts")).keys,
      {
        create: async () => (await import("./admin/keys.ts")).create,
        import: async () => (await import("./admin/keys.ts")).importKey,
        list: async () => (await import("./admin/keys.ts")).list,
        renew: async () => (await import("./admin/keys.ts")).renew,
        revoke: async () => (await import("./admin/keys.ts")).revoke,
        rotate: async () => (await import("./admin/keys.ts")).rotate,
      },
    ),
    ...command(
      "tenants",
      "list tenants, set the default country of one",
      async () => (await import("./admin/tenants.command.ts")).tenants,
      {
        list: async () => (await import("./admin/tenants.ts")).list,
        set: async () => (await import("./admin/tenants.ts")).set,
      },
    ),
    ...command(
      "tokens",
      "seal and open tokens, rotate the deployment's key",
      async () => (await import("./admin/tokens.command.ts")).tokens,
      {
        seal: async () => (await import("./admin/tokens.ts")).seal,
        open: async () => (await import("./admin/tokens.ts")).open,
        rotate: async () => (await import("./admin/tokens.ts")).rotate,
      },
    ),
    ...command(
      "requests",
      "print the record of an answered call, with its figures",
      async () => (await import("./requests/requests.command.ts")).requests,
      async () => (await import("./requests/requests.ts")).requests,
    ),
    ...command(
      "webhooks",
      "add, change, pause and remove destinations of events",
      async () => (await import("./webhooks/webhooks.command.ts")).webhooks,
      {
        add: async () => (await import("./webhooks/webhooks.ts")).add,
        list: async () => (await import("./webhooks/webhooks.ts")).list,
        show: async () => (await import("./webhooks/webhooks.ts")).show,
        set: async () => (await import("./webhooks/webhooks.ts")).set,
        pause: async () => (await import("./webhooks/webhooks.ts")).pause,
        resume: async () => (await import("./webhooks/webhooks.ts")).resume,
        enable: async () => (await import("./webhooks/webhooks.ts")).enable,
        remove: async () => (await import("./webhooks/webhooks.ts")).remove,
        "rotate-secret": async () => (await import("./webhooks/webhooks.ts")).rotateSecret,
        handshake: async () => (await import("./webhooks/webhooks.ts")).handshake,
        deliveries: async () => (await import("./webhooks/deliveries.ts")).deliveries,
        replay: async () => (await import("./webhooks/deliveries.ts")).replay,
      },
    ),
    ...command(
      "events",
      "print events as they arrive at the mailbox, and make test events",
      async () => (await import("./events/events.command.ts")).events,
      {
        tail: async () => (await import("./events/events.ts")).tail,
        trigger: async () => (await import("./events/events.ts")).trigger,
      },
    ),
    ...command(
      "listen",
      "relay events of the mailbox to a receiver on this machine",
      async () => (await import("./events/listen.command.ts")).listen,
      async () => (await import("./events/listen.ts")).listen,
    ),
  },
  "Persons, documents and institutions": {
    ...command(
      "users",
      "show, enable or import registered users, block faces",
      async () => (await import("./users/users.command.ts")).users,
      {
        show: async () => (await import("./users/users.ts")).show,
        enable: async () => (await import("./users/users.ts")).enable,
        import: async () => (await import("./users/import.ts")).importUsers,
        block: async () => (await import("./users/block-list.ts")).block,
        blocked: async () => (await import("./users/block-list.ts")).blocked,
        unblock: async () => (await import("./users/block-list.ts")).unblock,
      },
    ),
    ...command(
      "document",
      "check a document model, block documents known from fraud",
      async () => (await import("./documents/document.command.ts")).document,
      {
        lint: async () => (await import("./documents/document.ts")).lint,
        block: async () => (await import("./documents/document-list.ts")).block,
        blocked: async () => (await import("./documents/document-list.ts")).blocked,
        unblock: async () => (await import("./documents/document-list.ts")).unblock,
      },
    ),
    pep: {
      summary: "import a list of politically exposed persons",
      load: async () => (await import("./documents/pep.command.ts")).pep,
    },
    ...command(
      "registry",
      "import persons into the local civil registry, check a registry",
      async () => (await import("./registry/registry.command.ts")).registry,
      {
        import: async () => (await import("./registry/import.ts")).importPersons,
        list: async () => (await import("./registry/registry.ts")).list,
        remove: async () => (await import("./registry/registry.ts")).remove,
        check: async () => (await import("./registry/check.ts")).check,
      },
    ),
    ...command(
      "clearing",
      "transfer through the clearing entity of pension funds",
      async () => (await import("./clearing/clearing.command.ts")).clearing,
      {
        credentials: {
          set: async () => (await import("./clearing/credentials.ts")).set,
          show: async () => (await import("./clearing/credentials.ts")).show,
          remove: async () => (await import("./clearing/credentials.ts")).remove,
        },
        code: async () => (await import("./clearing/code.ts")).code,
        callbacks: async () => (await import("./clearing/callbacks.ts")).callbacks,
        transfer: {
          itself: async () => (await import("./clearing/transfer.ts")).start,
          list: async () => (await import("./clearing/transfer.ts")).list,
          show: async () => (await import("./clearing/transfer.ts")).show,
          resume: async () => (await import("./clearing/transfer.ts")).resume,
          abandon: async () => (await import("./clearing/transfer.ts")).abandon,
        },
      },
    ),
    export: {
      summary: "write the decisions of a time as CSV or JSON Lines, without personal data",
      load: async () => (await import("./export/export.command.ts")).exportDecisions,
    },
    ...command(
      "erase",
      "make a tenant's stored personal data unreadable for ever",
      async () => (await import("./admin/erase.command.ts")).erase,
      async () => (await import("./admin/erase.ts")).erase,
    ),
  },
  "Evidence and signatures": {
    ...command(
      "rights",
      "find keys, receivers and lists that were changed past the service",
      async () => (await import("./rights/rights.command.ts")).rights,
      {
        verify: async () => (await import("./rights/rights.ts")).verify,
        accept: async () => (await import("./rights/rights.ts")).accept,
        begin: async () => (await import("./rights/rights.ts")).begin,
      },
    ),
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
