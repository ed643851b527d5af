/** The name of the secret that holds the key of the seals. */
export const rightsSecret = "rights";
