/**
 * A backup that cannot be made or read. The message is complete for the operator: what is wrong, and the next
 * step.
 */
export class BackupFault extends Error {
  override readonly name = "BackupFault";
}
