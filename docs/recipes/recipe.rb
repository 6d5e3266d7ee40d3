require "json"
require "net/http"
require "securerandom"

def post(body, key = ENV.fetch("TRIBUTARY_WRITE_KEY"))
  headers = {"Authorization" => "Bearer #{key}", "Content-Type" => "application/json"}
  uri = URI("#{ENV.fetch("TRIBUTARY_URL")}/v1/events")
  Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https", open_timeout: 10, read_timeout: 10) do |http|
    http.post(uri.path, body, headers)
  end
rescue SystemCallError, SocketError, IOError, Timeout::Error, Net::ProtocolError, OpenSSL::SSL::SSLError
  nil # no answer
end

def send_events(events)
  body = JSON.generate(events: events)
  10.times do |attempt|
    answer = post(body)
    return JSON.parse(answer.body) if answer.is_a?(Net::HTTPSuccess)
    raise answer.body if answer && answer.code.to_i < 500 && !%w[408 429].include?(answer.code)
    sleep((answer && answer["Retry-After"] || [2**attempt, 60].min).to_i)
  end
  raise "no answer after 10 tries"
end

def relay(body)
  answer = post(body, ENV.fetch("TRIBUTARY_APP_KEY"))
  answer ? [answer.code.to_i, answer["Retry-After"], answer.body] : [503, "5", ""]
end

if ARGV.include?("relay")
  p relay($stdin.read)
  exit
end
p send_events([{type: "conversion", event_id: SecureRandom.uuid, user_id: "bob", name: "purchase"}])
