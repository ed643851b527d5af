/**
 * Reports an error that no caller sees: its component, the operation that failed, the error, and the id of
 * its subject. Made by openIdem, service.ts.
 */
export type Report = (component: string, note: string, error: unknown, subject?: string) => void;
