/** Tests see neither the settings nor the state of whoever runs them. */
for (const name of Object.keys(process.env)) {
  if (/^(NUDGECHART|INTERLINK|CLAUDE|XDG_|MU_|PI_|CODEX|NODE_OPTIONS|NODE_EXTRA_CA_CERTS)/.test(name))
    delete process.env[name];
}
process.env['HOME'] = '/nonexistent/home-of-a-test';
