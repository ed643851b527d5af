import { Failure } from "#contract/failure";

/** Codes of SQLite and the system for a failed disk or database, not for a wrong request. */
const systemCode =
  /^(SQLITE_(READONLY|IOERR|FULL|CANTOPEN|BUSY|LOCKED|CORRUPT|NOTADB|NOMEM|PROTOCOL)|E(AI_)?[A-Z0-9]+$)/;

/** Codes of Node's TLS and of X.509: an expired certificate or a server without TLS. */
const tlsCode =
  /^(ERR_(TLS|SSL)_|UNABLE_TO_|CERT_|(DEPTH_ZERO_)?SELF_SIGNED_CERT|HOSTNAME_MISMATCH$|INVALID_(CA|PURPOSE)$)/;

/**
 * PostgreSQL, appendix A: classes 08 connection, 53 resources, 57 operator, 58 system; 25006 read only, 25P03
 * and 25P04 transaction cut off; 28000, 28P01 and 3D000 are a role, password or database that the operator
 * changed.
 */
const postgresCode = /^(08...|53...|57...|58...|25006|25P03|25P04|28000|28P01|3D000)$/;

/** Messages of the PostgreSQL driver that have no code. */
const driverMessage =
  /^(Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed)|The server does not support SSL|There was an error establishing an SSL)/;

/** Whether a disk, a database, a socket or a network failed: a retry of the same request may succeed. */
export const isOutage = (error: unknown): boolean => {
  if (!(error instanceof Error)) {
    return false;
  }
  const code = codeOf(error);
  return (
    [systemCode, tlsCode, postgresCode].some((codes) => codes.test(code)) ||
    driverMessage.test(error.message) ||
    (error instanceof AggregateError && error.errors.some(isOutage))
  );
};

/** The code that Node, SQLite or PostgreSQL gave an error; empty if there is none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/**
 * The text of an error, never blank: for a host with two addresses Node joins both errors in one without a
 * message.
 */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return error.message || parts.map(messageOf).join("; ") || codeOf(error) || error.name;
};

/** The failure that a caller gets when the storage does not answer; the cause goes to the operator's log. */
export const unavailable = (cause: unknown): Failure => new Failure("store_unavailable", {}, { cause });

/** Runs disk work; fails with `store_unavailable` if the disk fails. */
export const onDisk = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await work();
  } catch (error) {
    throw isOutage(error) ? unavailable(error) : error;
  }
};
