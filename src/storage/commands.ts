import { makeBlobCommands } from "./blob-store.ts";
import { makeClaimCommands } from "./claim-store.ts";
import type { Session } from "./database.ts";
import { makeFaceListCommands } from "./face-list-store.ts";
import { makeKeyCommands } from "./key-store.ts";
import { makeListedDocumentCommands } from "./listed-document-store.ts";
import { makePeopleCommands } from "./people-store.ts";
import { makeReviewCommands } from "./review-store.ts";
import { makeSecretCommands } from "./secret-store.ts";
import { pingSqlite } from "./sqlite-ping.ts";
import type { Store } from "./store.ts";
import { makeTenantCommands } from "./tenant-store.ts";
import { makeTransactionCommands } from "./transaction-store.ts";
import { makeLeaseCommands, makeValidationCommands } from "./validation-store.ts";
import { makeWaitingCommands } from "./waiting-store.ts";

/** Every command of the store that is a transaction. */
export type CommandName = Exclude<keyof Store, "isBroken" | "close">;
export type Arguments = { readonly [Name in CommandName]: Parameters<Store[Name]> };
export type Answers = { readonly [Name in CommandName]: Awaited<ReturnType<Store[Name]>> };
export type Commands = {
  readonly [Name in CommandName]: (...args: Arguments[Name]) => Promise<Answers[Name]>;
};

/** The commands over one connection that is inside a transaction: the caller begins, commits and rolls back. */
export const makeCommands = (session: Session): Commands => ({
  ...makeTenantCommands(session),
  ...makeTransactionCommands(session),
  ...makeValidationCommands(session),
  ...makeLeaseCommands(session),
  ...makeWaitingCommands(session),
  ...makeReviewCommands(session),
  ...makeKeyCommands(session),
  ...makeSecretCommands(session),
  ...makeBlobCommands(session),
  // PostgreSQL has its own: whether a server takes writes is asked without one.
  ping: () => pingSqlite(session),
  ...makePeopleCommands(session),
  ...makeFaceListCommands(session),
  ...makeClaimCommands(session),
  ...makeListedDocumentCommands(session),
});

/** Runs one command in a transaction of its own and resolves after the commit. */
export type RunCommand = <Name extends CommandName>(
  name: Name,
  args: Arguments[Name],
) => Promise<Answers[Name]>;

/** Those of document validations. */
const bindValidations = (run: RunCommand) => ({
  createValidation: (...args: Arguments["createValidation"]) => run("createValidation", args),
  findValidation: (...args: Arguments["findValidation"]) => run("findValidation", args),
  leaseValidations: (...args: Arguments["leaseValidations"]) => run("leaseValidations", args),
  renewLease: (...args: Arguments["renewLease"]) => run("renewLease", args),
  keepSession: (...args: Arguments["keepSession"]) => run("keepSession", args),
  postponeValidation: (...args: Arguments["postponeValidation"]) => run("postponeValidation", args),
  finishValidation: (...args: Arguments["finishValidation"]) => run("finishValidation", args),
  resubmitValidation: (...args: Arguments["resubmitValidation"]) => run("resubmitValidation", args),
  listWaiting: (...args: Arguments["listWaiting"]) => run("listWaiting", args),
  endValidation: (...args: Arguments["endValidation"]) => run("endValidation", args),
  listReviews: (...args: Arguments["listReviews"]) => run("listReviews", args),
  findReview: (...args: Arguments["findReview"]) => run("findReview", args),
  claimReview: (...args: Arguments["claimReview"]) => run("claimReview", args),
  releaseReview: (...args: Arguments["releaseReview"]) => run("releaseReview", args),
  proposeReview: (...args: Arguments["proposeReview"]) => run("proposeReview", args),
  endReview: (...args: Arguments["endReview"]) => run("endReview", args),
});

/** Those of documents that were met before. */
const bindListedDocuments = (run: RunCommand) => ({
  listDocument: (...args: Arguments["listDocument"]) => run("listDocument", args),
  unlistDocument: (...args: Arguments["unlistDocument"]) => run("unlistDocument", args),
  listListedDocuments: (...args: Arguments["listListedDocuments"]) => run("listListedDocuments", args),
  isDocumentListed: (...args: Arguments["isDocumentListed"]) => run("isDocumentListed", args),
  countSightings: (...args: Arguments["countSightings"]) => run("countSightings", args),
  purgeSightings: (...args: Arguments["purgeSightings"]) => run("purgeSightings", args),
});

/** Gives every command its way to a transaction. */
export const bindCommands = (run: RunCommand): Commands => ({
  createTenant: (...args) => run("createTenant", args),
  listTenants: (...args) => run("listTenants", args),
  createApiKey: (...args) => run("createApiKey", args),
  findApiKey: (...args) => run("findApiKey", args),
  listApiKeys: (...args) => run("listApiKeys", args),
  revokeApiKey: (...args) => run("revokeApiKey", args),
  touchApiKeys: (...args) => run("touchApiKeys", args),
  recordTransaction: (...args) => run("recordTransaction", args),
  purgeTokenUses: (...args) => run("purgeTokenUses", args),
  findTransaction: (...args) => run("findTransaction", args),
  listTransactions: (...args) => run("listTransactions", args),
  ...bindValidations(run),
  ...bindListedDocuments(run),
  insertKey: (...args) => run("insertKey", args),
  findKeys: (...args) => run("findKeys", args),
  listKeys: (...args) => run("listKeys", args),
  rewrapKey: (...args) => run("rewrapKey", args),
  destroyKey: (...args) => run("destroyKey", args),
  findSecret: (...args) => run("findSecret", args),
  replaceSecret: (...args) => run("replaceSecret", args),
  forgetBlobs: (...args) => run("forgetBlobs", args),
  knownBlobIds: (...args) => run("knownBlobIds", args),
  ping: () => run("ping", []),
  findPerson: (...args) => run("findPerson", args),
  listPersonNames: (...args) => run("listPersonNames", args),
  enrolPerson: (...args) => run("enrolPerson", args),
  recordAttempt: (...args) => run("recordAttempt", args),
  replaceTemplate: (...args) => run("replaceTemplate", args),
  deletePeople: (...args) => run("deletePeople", args),
  enablePerson: (...args) => run("enablePerson", args),
  purgePeople: (...args) => run("purgePeople", args),
  listFaces: (...args) => run("listFaces", args),
  findFaces: (...args) => run("findFaces", args),
  blockFaces: (...args) => run("blockFaces", args),
  unblockFace: (...args) => run("unblockFace", args),
  listBlocked: (...args) => run("listBlocked", args),
  listEvidenceHeads: (...args) => run("listEvidenceHeads", args),
  listEvidence: (...args) => run("listEvidence", args),
  findClaims: (...args) => run("findClaims", args),
  purgeClaims: (...args) => run("purgeClaims", args),
  purgeBlocked: (...args) => run("purgeBlocked", args),
});
