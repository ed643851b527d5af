/** What can be done about damage, by its kind. The commands are those of docs/guides/operate/backup.md. */
export type Repairs = {
  readonly database: string;
  readonly blob: string;
  readonly evidence: string;
};

const blob =
  "Copy it back from a backup that holds it: idem store repair --from BACKUP --key SECRET.pem. Without one it is lost.";

const evidence =
  "Nothing makes a changed chain whole. Restore a backup beside it, and compare both: idem evidence verify (docs/guides/understand/evidence.md).";

/** On the embedded store. */
export const embeddedRepairs: Repairs = {
  database:
    "Restore a backup to a new directory: idem restore BACKUP --key SECRET.pem --to DIR. What was written after it is lost; keep the damaged file.",
  blob,
  evidence,
};

/** On PostgreSQL the server's own means restore it. */
export const postgresRepairs: Repairs = {
  database:
    "Restore the database by the means of the server (a base backup with WAL, or a dump), then: idem restore --manifest FILE --check.",
  blob: "Copy the object back from the copy of the bucket or folder. Without one it is lost.",
  evidence,
};
