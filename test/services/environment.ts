/** A variable that a start script prints; throws, so that a services test without its service fails instead of passing by. */
export const serviceVariable = (name: string, script: string): string => {
  const value = process.env[name];
  if (value === undefined || value === "") {
    throw new Error(`${name} is not set. Start the service first: eval "$(test/services/${script})"`);
  }
  return value;
};
