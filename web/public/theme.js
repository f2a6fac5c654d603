// Before the first paint: the theme that was chosen last, if storage can be read.
try {
  const theme = localStorage.getItem('nestplan.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the system's theme.
}
