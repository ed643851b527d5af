import {
  countBlocked,
  type FaceListCommands,
  type FaceListTables,
} from "#features/users/store/face-list-store";
import type { Session } from "#machine/storage/database";
import { sqlPage } from "#support/storage/sql-page";
import { at, noStep, someBytes } from "#support/storage/sql-sample";

const template = {
  keyId: "key",
  dataKeyId: "data key",
  recogniser: "recogniser",
  wrappedKey: someBytes,
  sealedTransform: someBytes,
  sealedTemplate: someBytes,
};

const blocked = { ...template, id: "id", environment: "test", at, sealedNote: someBytes } as const;

/** A read that is not a command of the service. */
const makeFaceListReads = (session: Session<FaceListTables>) => ({
  countBlocked: () => countBlocked(session),
});

export const page = sqlPage<FaceListCommands & ReturnType<typeof makeFaceListReads>>(
  "features/users/store/face-list-store",
  {
    listFaces: [
      { args: ["people", "tenant", "", 100], when: "of users" },
      { args: ["blocked", "tenant", "", 100], when: "of the block list" },
    ],
    findFaces: [
      { args: ["people", "tenant", ["id"]], when: "of users" },
      { args: ["blocked", "tenant", ["id"]], when: "of the block list" },
    ],
    blockFaces: [
      { args: ["tenant", [blocked], noStep], when: "one face" },
      {
        args: ["tenant", [blocked], noStep, 1],
        when: "one face, after a reading of the list",
        findsNothing: 'from "evidence"',
      },
    ],
    unblockFace: [{ args: ["tenant", "id", noStep] }],
    listBlocked: [{ args: ["tenant", ""] }],
    listEvidenceHeads: [{ args: [] }],
    listEvidence: [{ args: ["tenant", 1] }],
    purgeBlocked: [{ args: [] }],
    countBlocked: [{ args: [] }],
  },
  makeFaceListReads,
);
