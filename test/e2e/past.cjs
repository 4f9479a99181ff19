// node --require past.cjs: a process whose clock is behind by NUDGECHART_E2E_PAST_MS. What it sends was sent that long ago.

const { now } = Date;
const behind = Number(process.env.NUDGECHART_E2E_PAST_MS ?? 0);

Date.now = () => now() - behind;
