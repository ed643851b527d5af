/** Names of the routes that this release does not build: they answer 501. The list shrinks to nothing. */
export const laterRouteNames: readonly string[] = [
  "padDiagnostic",
  "authenticateUser",
  "authenticateUserV2",
  "deleteUsers",
  "updateUserTemplate",
  "civilValidation",
  "digitalSign",
  "finishTracking",
  "verifyClearing",
  "clearingCertificate",
  "verifyPrevired",
  "previredCertificate",
];
