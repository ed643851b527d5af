// Opens a data directory, prints a line, and holds it until it is killed.
import { openDataDirectory } from "#machine/storage/data-directory";

await openDataDirectory(process.argv[2] ?? "");
process.stdout.write("open\n");
setInterval(() => undefined, 60_000);
