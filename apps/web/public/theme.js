// Runs before the first paint, so that a chosen theme does not flash; an inline script would break the CSP.
(function () {
  try {
    var theme = localStorage.getItem('clinic.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // storage is closed to us: the system's scheme stands
  }
})();
