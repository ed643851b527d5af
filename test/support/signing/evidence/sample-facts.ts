import type { SigningInstruction } from "#features/signing/evidence/signing-revision";

/** The facts of a signing at this time, as a positive identity call leaves them. */
export const sampleFacts = (at: Date): SigningInstruction["facts"] => ({
  transaction: "11111111-1111-4111-8111-111111111111",
  at: at.toISOString(),
  signingType: "1",
  contact: "anna@example.org",
  place: { city: "Santiago", country: "CHL" },
  authentication: {
    transaction: "2db602ee-3564-4304-af95-92a52eaae12d",
    endpoint: "identity",
    at: at.toISOString(),
    hash: "0123456789ABCDEF".repeat(8),
    result: { facial: 3, liveness: 3 },
    similarity: 0.99,
    falseMatchRate: 0.000001,
    policyVersion: "faces-1",
    models: { "dlib-resnet": "cd".repeat(32) },
  },
});
