/** Do the policies that the user has added run, and what does the project that we are in want? */
import { addAgain } from '../../../adapters/store/added-policies.ts';
import { changesBy, readProject, remarksOn } from '../project-config.ts';
import { addedPolicies, wantedPolicies } from '../settings.ts';
import { changedText, problemText } from '../user-policies.ts';
import { type Examine, note, ok, wrong } from './finding.ts';

export const examinePolicies: Examine = ({ env }) => {
  const { added, configured, problems, changed } = addedPolicies(env);
  if (added.length + problems.length === 0) return [];
  const names = configured.map(({ policy }) => policy.machine.id);
  return [
    ...(names.length === 0 ? [] : [ok('policies', `of your own: ${names.join(', ')}`)]),
    ...problems.map((problem) => wrong('policies', problemText(problem), problem.next)),
    ...changed().map((one) => note('policies', changedText(one), addAgain(one))),
  ];
};

export const examineProject: Examine = ({ env, files, project: folder }) => {
  const project = readProject(folder, files);
  if (project === null) return [];
  const { file } = project;
  const policies = wantedPolicies(env);
  const changes = changesBy(project, policies);
  const next = 'a project can only switch policies off ("off") and lengthen their intervals ("intervals", in seconds)';
  return [
    ok('project', `${file}: ${changes.length === 0 ? 'changes nothing' : changes.join(', ')}`),
    ...remarksOn(project, policies).map((remark) => note('project', `${file}: ${remark}: ignored`, next)),
  ];
};
