/**
 * A variable from the output of a start script. Throws without it, so that a services test without its
 * service fails instead of being skipped.
 */
export const serviceVariable = (name: string, script: string): string => {
  const value = process.env[name];
  if (value === undefined || value === "") {
    throw new Error(`${name} is not set. Start the service first: eval "$(test/services/${script})"`);
  }
  return value;
};
