/** A face as the active recogniser describes it: the bundled pair, or one added by the operator. */
export type Template = PairTemplate | SingleTemplate;

/** A face's two unit vectors with the bundled recognisers that made them. */
export type PairTemplate = {
  /** Names models, preprocessing and centring: templates of different recognisers are never compared. */
  readonly recogniser: string;
  readonly dlib: Float32Array;
  /** Centred by the reference mean, unit length. */
  readonly faceres: Float32Array;
  /** The cohort score of the face (`cohort-score.ts`), in impostor deviations. */
  readonly cohortScore: number;
  /** The cohort of the score: absent for the shipped one. */
  readonly cohort?: "own";
};

/** The vectors that the bundled recognisers compare. */
export type Vectors = Pick<PairTemplate, "dlib" | "faceres">;

/** A face as an added recogniser describes it. */
export type SingleTemplate = {
  /** Names network, preparation of its input and aligner (`nameRecogniser`). */
  readonly recogniser: string;
  /** Unit length. */
  readonly vector: Float32Array;
};

/** True for a template of the bundled pair. */
export const isPair = (template: Template): template is PairTemplate => "dlib" in template;

/** Unit vectors of a template: dlib and faceres, or the single one of the added recogniser. */
export const vectorsOf = (template: Template): readonly Float32Array[] =>
  isPair(template) ? [template.dlib, template.faceres] : [template.vector];
