/**
 * What helps where a process has the embedded store open and serves no command (a long command, or a service
 * of which the socket cannot be opened), as the end of a sentence. Each command that needs the store names
 * its own.
 */
export const wayOut = {
  /** The service has no call for the command. */
  stop: "stop that process first, this command needs the store for itself",
  destinations: "stop that process first, or call its /operator/destinations (/docs)",
  deliveries: "stop that process first, or call its /operator/deliveries (/docs)",
  copy: "stop that process first, or restore a backup to another directory and run the command there (docs/guides/operate/backup.md)",
  plan: "stop that process first, or print what would run: idem migrate --plan",
} as const;
