-- For wrk: follows short links at random, as phones, desktops, browsers inside of apps, and readers of previews do.
--   wrk … -s visit.lua URL -- HOST LINKS SEED
--
-- The links are /b1 to /bLINKS. The same SEED gives the same requests. Prints how many of them were by people, who click.
local random = math.random

local safari, chrome = "AppleWebKit/605.1.15 (KHTML, like Gecko)", "AppleWebKit/537.36 (KHTML, like Gecko)"
local iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) " .. safari
local people = {
  iphone .. " Version/26.0 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 10; K) " .. chrome .. " Chrome/142.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) " .. safari .. " Version/26.0 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) " .. chrome .. " Chrome/142.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) " .. safari .. " Version/26.0 Safari/605.1.15",
  iphone .. " Mobile/15E148 [FBAN/FBIOS;FBAV/536.0.0.40.102;FBDV/iPhone15,2;FBMD/iPhone;FBSN/iOS;FBSV/18.7]",
  "Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/BP1A.250505.005; wv) " .. chrome
    .. " Version/4.0 Chrome/142.0.7444.48 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/536.0.0.46.77;]",
  iphone .. " Mobile/15E148 Instagram 404.0.0.29.80 (iPhone15,2; iOS 18_7; en_US; en; scale=3.00)",
}
local previewers = {
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "WhatsApp/2.23.20.0 A",
}

-- Only what `done` reads is global. There is one thread.
clicks = 0
local thread

function setup(own) thread = own end

function init(arguments)
  local host, links = arguments[1], tonumber(arguments[2])
  math.randomseed(tonumber(arguments[3]))
  requests, isClick, count = {}, {}, 4096
  for number = 1, count do
    -- One in ten is a previewer.
    isClick[number] = random(10) > 1
    local agents = isClick[number] and people or previewers
    requests[number] = wrk.format("GET", "/b" .. random(links) .. "?utm_source=" .. random(9), {
      ["Host"] = host, ["User-Agent"] = agents[random(#agents)], ["Accept"] = "text/html,*/*;q=0.8",
    })
  end
end

function request()
  local number = random(count)
  if isClick[number] then clicks = clicks + 1 end
  return requests[number]
end

function done() print("clicks sent: " .. thread:get("clicks")) end
