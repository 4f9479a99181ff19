/** For authors of policies: the standard set of tests, and a policy in the real engine to tell stories with. */
export { type DescribeOptions, describePolicy, type Invariant } from './describe-policy.ts';
export type { ModelStep, Project } from './model.ts';
export { createSut, type Sut, type SutParts } from './sut.ts';
