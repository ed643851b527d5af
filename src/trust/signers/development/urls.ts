/** A host that no name server has (RFC 2606, 2): this process answers for it, and nothing goes out. */
const base = "http://development-authority.invalid";

/** The places that the certificates of the development authority name. */
export const authorityUrls = {
  ocsp: `${base}/ocsp`,
  issuing: `${base}/issuing.cer`,
  issuingCrl: `${base}/issuing.crl`,
  root: `${base}/root.cer`,
  rootCrl: `${base}/root.crl`,
} as const;
