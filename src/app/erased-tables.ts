import type { Tables } from "./store-commands.ts";

/** What `idem erase` does with the rows of a tenant in a table: removes them, or keeps them for the reason that stands here. */
type Fate = "erased" | { readonly kept: string };

const sealedAway = "personal data is sealed under destroyed keys; the rest is random ids, states and times";

/**
 * The fate of each table of the store in an erasure. A table without an entry fails the type check, and a table whose rows have another fate
 * fails `erased-tables.db.test.ts`.
 */
export const erasedTables: { readonly [Table in keyof Tables]: Fate } = {
  apiKeys: { kept: "keys of the tenant's programs: they stay valid" },
  assets: "erased",
  blobs: { kept: "names of sealed objects whose key is destroyed; the tidying removes both" },
  blockedFaces: "erased",
  captureFailures: "erased",
  captureSessions: "erased",
  captureTokens: "erased",
  clearingCredentials: "erased",
  clearingTokens: "erased",
  clearingTransfers: "erased",
  damagedBlobs: {
    kept: "ids of sealed objects and what is wrong with each; without its blob an entry means nothing",
  },
  deliveries: "erased",
  deliveryAttempts: "erased",
  destinationTokens: "erased",
  destinations: { kept: "removed, without name, address and secrets: the evidence names their ids" },
  documentClaims: { kept: "hashes under destroyed keys, which match nothing; they end by their retention" },
  events: "erased",
  evidence: { kept: "the chain of hashes" },
  evidenceAnchors: { kept: "time-stamps over the chain" },
  evidenceBodies: "erased",
  evidenceHeads: { kept: "the sealed end of the chain of hashes" },
  idempotentCalls: "erased",
  keys: { kept: "the receipt of a destroyed key, without it" },
  listedDocuments: "erased",
  oneShots: "erased",
  operationSteps: "erased",
  operations: "erased",
  rateBuckets: { kept: "ids of API keys with a time" },
  registryPersons: "erased",
  registryPhotos: "erased",
  reviews: { kept: sealedAway },
  scrubs: { kept: "the place of a round, of no tenant" },
  secrets: { kept: "secrets of the deployment, of no tenant" },
  signedDocuments: "erased",
  tenants: { kept: "the tenant itself" },
  tokenUses: { kept: "hashes of sealed tokens until their age: they keep a token from a second use" },
  transactions: { kept: "results and random ids; measurements are sealed under destroyed keys, or removed" },
  userReferences: "erased",
  users: "erased",
  validationBlobs: { kept: sealedAway },
  validations: { kept: sealedAway },
  velocityEvents: {
    kept: "hashes under destroyed keys, which match nothing; they end within their retention",
  },
  verifications: "erased",
};
