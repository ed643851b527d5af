/** The part of jStat that is used; the package has no types of its own. */
declare module "jstat" {
  type Jstat = {
    /** Inverse of the cumulative beta distribution. */
    readonly beta: { readonly inv: (share: number, alpha: number, beta: number) => number };
    /** Inverse of the cumulative normal distribution. */
    readonly normal: { readonly inv: (share: number, mean: number, deviation: number) => number };
  };
  const jstat: { readonly jStat: Jstat };
  export default jstat;
}
