import type { Certificate } from "#features/clearing/certificate/certificate";
import { countedUnder } from "#judging/face/countable-rate";

/** A certificate of an invented person. */
export const sampleCertificate: Certificate = {
  link: "https://idem.example/services/clearing/2db602ee-3564-4304-af95-92a52eaae12d/certificate?token=abcdefghijklmnopqrstuvwxyzABCDEF",
  release: "0.0.0-test",
  content: {
    environment: "live",
    serviceTransactionId: "2db602ee-3564-4304-af95-92a52eaae12d",
    codigoVerificacion: "LbYC7jVkQwSvlZKlLqrhLQ",
    facialAuthenticationResult: 3,
    facialAuthenticationSimilarity: 0.99999,
    countedFalseMatchRate: 0.0001,
    countedPairs: 7_255_541,
    countedFalseMatchRateWorstGroup: 0.01,
    countedPairsWorstGroup: 44_850,
    passiveLivenessResult: 3,
    livenessLevel: "active-turn",
    documentValidationCode: 9001,
    scanReference: "6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a",
    verifiedAt: "2026-11-21T09:30:00.000Z",
    documentDecidedAt: "2026-11-21T09:30:04.000Z",
    samePersonBy: "faces",
    documentComparison: {
      countedFalseMatchRate: 1 / 700,
      countedPairs: 7_255_541,
      countedFalseMatchRateWorstGroup: 0.01,
      countedPairsWorstGroup: 44_850,
    },
    portraitEvidence: "print-consistent",
    personIsKept: true,
    person: { firstName: "ANNA MARÍA", lastName: "ERIKSSON", idNumber: null, dateOfBirth: "1974-08-12" },
    document: { type: "PASSPORT", country: "CHL", number: "F12345678" },
    provider: "Verificadora de Ejemplo SpA",
    hashes: {
      facialAuthenticationHash: "0A".repeat(64),
      policyVersion: countedUnder.scale,
      models: countedUnder.models,
    },
    tokenExpiresAt: "2026-11-22T09:30:00.000Z",
    openingsLeft: 9,
    issuedAt: "2026-11-21T10:00:00.000Z",
  },
};
