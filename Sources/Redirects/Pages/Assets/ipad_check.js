(function () {
  function get(id) { return document.getElementById(id); }
  function go(link) { if (link) { location.replace(link.href); } }
  if (navigator.maxTouchPoints > 1) {
    if (get("touch")) { get("wait").hidden = true; get("touch").hidden = false; } else { go(get("app") || get("web")); }
  } else { go(get("web")); }
})();
