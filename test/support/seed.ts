/** Random, but the same on every machine and in every run. `FC_SEED=<number>` looks elsewhere. */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20_261_130) });
