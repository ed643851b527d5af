/**
 * Reports an error that no caller sees to the operator: the component, the failed operation, the error and
 * the id of its subject. Made by openIdem, service.ts.
 */
export type Report = (component: string, note: string, error: unknown, subject?: string) => void;
